import { makeOwn } from './support/account'
import { expectClean } from './support/clean'
import { BASE_URL } from './support/settings'
import { expect, test, uniqueCode } from './support/test'

const headers = { Origin: BASE_URL }

test('the history of a link is empty, then has what was changed, and visitors see where it led before', async ({
  dashboard,
  page,
}) => {
  const code = uniqueCode('past')
  const { shortUrl } = await makeOwn(page, { url: 'https://example.com/first', code })
  await dashboard.open()
  const { dialog } = dashboard
  const open = async () => {
    await dashboard.row(code).getByRole('button', { name: /^Edit/ }).click()
    await dialog.getByText('History', { exact: true }).click()
  }
  const list = dialog.getByRole('list', { name: 'History' })
  await open()
  await expect(dialog.getByText('Never changed')).toBeVisible()
  await expect(list.getByRole('listitem')).toHaveText([/^Created/])
  await expectClean(page)
  await dialog.getByLabel('Destination', { exact: true }).fill('https://example.com/second')
  await dialog.getByLabel('Title').fill('Spring sale')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()

  await open()
  await expect(dialog.getByText(/^Last changed/)).toBeVisible()
  await expect(list.getByRole('listitem').first()).toContainText('Destination')
  await expect(list.getByRole('deletion').first()).toHaveText(/example\.com\/first/)
  await expect(list.getByRole('insertion').first()).toHaveText(/example\.com\/second/)
  await expectClean(page)

  await page.goto(`${shortUrl}+`)
  await expect(page.getByText(/^It has led here since/)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Before that' })).toBeVisible()
  await expect(page.getByRole('listitem')).toHaveText([/^https:\/\/example\.com\/first\s*until /])
  await expect(page.getByRole('link', { name: /first/ })).toHaveCount(0)
  await expectClean(page)
})

test('many changes are shown a few at a time, to the owner and to visitors', async ({ dashboard, page }) => {
  const code = uniqueCode('many')
  const { shortUrl } = await makeOwn(page, { url: 'https://example.com/0', code })
  for (let i = 1; i <= 23; i++) {
    const answer = await page.request.patch(`/api/v1/links/${code}`, { headers, data: { url: `https://example.com/${i}` } })
    expect(answer.status()).toBe(200)
  }
  await dashboard.open()
  const { dialog } = dashboard
  await dashboard.row(code).getByRole('button', { name: /^Edit/ }).click()
  await dialog.getByText('History', { exact: true }).click()
  const items = dialog.getByRole('list', { name: 'History' }).getByRole('listitem')
  await expect(items).toHaveCount(20)
  await dialog.getByRole('button', { name: 'Show more' }).click()
  await expect(items).toHaveCount(24)
  await expect(items.last()).toContainText('Created')

  await page.goto(`${shortUrl}+`)
  await expect(page.getByRole('listitem')).toHaveCount(5)
  await page.getByText('18 earlier destinations').click()
  await expect(page.getByRole('listitem')).toHaveCount(23)
  await expectClean(page)
})

test('an owner keeps the past private, and visitors see since when', async ({ dashboard, page }) => {
  const code = uniqueCode('private')
  const { shortUrl } = await makeOwn(page, { url: 'https://example.com/first', code })
  await page.request.patch(`/api/v1/links/${code}`, { headers, data: { url: 'https://example.com/second' } })
  await dashboard.open()
  const { dialog } = dashboard
  await dashboard.row(code).getByRole('button', { name: /^Edit/ }).click()
  await dialog.getByText('History', { exact: true }).click()
  await dialog.getByRole('switch', { name: 'Show visitors where it led before' }).uncheck()
  await expect(dialog.getByText(/· private$/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await page.goto(`${shortUrl}+`)
  await expect(page.getByText(/Its owner has kept where it led before private since/)).toBeVisible()
  await expect(page.getByText('example.com/first')).toHaveCount(0)
  await expectClean(page)
})
