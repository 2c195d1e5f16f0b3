import { makeOwn, signUp } from './support/account'
import { AGENTS } from './support/stats-page'
import { expect, test, uniqueCode } from './support/test'

test('an overview without links says what to do', async ({ page }) => {
  await signUp(page)
  await page.goto('/dashboard/overview')
  await page.getByRole('link', { name: 'Go to your links' }).click()
  await expect(page.getByText('No links yet')).toBeVisible()
})

test('the overview counts over all links', async ({ page }) => {
  await signUp(page)
  const link = await makeOwn(page, { url: 'https://example.com/', code: uniqueCode('over') })
  const person = { maxRedirects: 0, headers: { 'User-Agent': AGENTS.firefox } }
  for (let click = 0; click < 3; click++) await page.request.get(link.shortUrl, person)
  await page.request.get(link.shortUrl, { maxRedirects: 0, headers: { 'User-Agent': AGENTS.googlebot } })
  const clicks = async () => (await (await page.request.get(`/api/v1/links/${link.code}`)).json()).clicks as number
  await expect.poll(clicks).toBe(4)
  await page.goto('/dashboard/overview')
  const recent = page.locator('dl > div').filter({ has: page.getByText('Clicks', { exact: true }) })
  await expect(recent.getByRole('definition')).toHaveText('3Last 30 days, plus 1 bot click')
  await expect(page.getByRole('region', { name: 'Most clicked' }).getByRole('link')).toContainText(link.code)
  await page.getByRole('button', { name: 'Show table' }).click()
  await expect(page.getByRole('region', { name: 'Clicks by day, as a table' }).getByRole('row').nth(1)).toContainText('3')
  await page.getByRole('button', { name: '7 days' }).click()
  await expect(page).toHaveURL(/\?days=7$/)
  await expect(recent.getByText('Last 7 days, plus 1 bot click')).toBeVisible()
  await page.getByRole('button', { name: 'Bots' }).click()
  await expect(page).toHaveURL(/\?days=7&kind=bots$/)
  await expect(page.getByRole('region', { name: 'Clicks by day, as a table' }).getByRole('row').nth(1)).toContainText('1')
  await page.goBack()
  await page.goBack()
  await expect(recent.getByText('Last 30 days, plus 1 bot click')).toBeVisible()
})
