import type { Page } from '@playwright/test'
import { makeOwn } from './support/account'
import { expectClean } from './support/clean'
import { AGENTS, StatsPage } from './support/stats-page'
import { expect, test, uniqueCode } from './support/test'

async function clickedLink(page: Page, fields: object) {
  const link = await makeOwn(page, { url: 'https://example.com/', code: uniqueCode('shared'), ...fields })
  await page.request.get(link.shortUrl, { maxRedirects: 0, headers: { 'User-Agent': AGENTS.firefox } })
  await expect.poll(async () => (await (await page.request.get(`/api/v1/links/${link.code}`)).json()).clicks).toBe(1)
  return link
}

test('statistics are shared from their page, listed there, and no longer shared once that is revoked', async ({
  dashboard,
  page,
}) => {
  await dashboard.open()
  const link = await clickedLink(page, {})
  await page.goto(`/stats/${link.code}`)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Share these statistics' })
  await expect(dialog).toContainText('Not shared yet.')
  await dialog.getByLabel('Password').fill('open sesame')
  await dialog.getByLabel('With a badge and a chart').check()
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await expect(dialog).toContainText('Turn off one of the two.')
  const badge = dialog.getByLabel('With a badge and a chart')
  await expect(badge).toBeFocused()
  await expect(badge).toHaveAttribute('aria-invalid', 'true')
  await expect(badge).toHaveAccessibleDescription(/Turn off one of the two/)
  await badge.uncheck()
  await expect(dialog).not.toContainText('Turn off one of the two.')
  await dialog.getByLabel('Name').fill('Northwind, weekly')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await expect(dialog.locator('code').first()).toContainText('/stats?share=')
  const url = (await dialog.locator('code').first().textContent()) ?? ''
  await dialog.getByRole('button', { name: 'I’ve saved it' }).click()
  await expect(dialog.getByRole('list', { name: 'Shared now' }).getByRole('listitem')).toHaveCount(1)
  await expect(dialog).toContainText('not seen yet · password')
  await expect(dialog.getByRole('listitem')).toContainText(/^Northwind, weekly.*Created /)
  await expectClean(page)
  await dialog.getByRole('button', { name: 'Revoke: Northwind, weekly' }).click()
  const question = page.getByRole('dialog', { name: 'Revoke this share?' })
  await expect(question).toContainText('Northwind, weekly')
  await question.getByRole('button', { name: 'Revoke' }).click()
  await expect(dialog).toContainText('Not shared yet.')
  await page.goto(url)
  await expect(page.getByText('Nothing is shared here')).toBeVisible()
})

test('a visitor with the password sees the numbers, may filter them, and finds nothing to change', async ({
  browser,
  dashboard,
  page,
}) => {
  await dashboard.open()
  const link = await clickedLink(page, { title: 'Spring sale' })
  const made = await page.request.post('/api/v1/shares', { data: { code: link.code, password: 'open sesame' } })
  const stranger = await browser.newPage()
  const answer = await stranger.goto((await made.json()).url)
  expect(answer?.headers()['content-security-policy']).toContain("frame-ancestors 'none'")
  await expect(stranger.locator('meta[name=robots]')).toHaveAttribute('content', /noindex/)
  await expect(stranger.locator('meta[name=referrer]')).toHaveAttribute('content', 'no-referrer')
  await stranger.getByLabel('Password', { exact: true }).fill('wrong')
  await stranger.getByRole('button', { name: 'Show statistics' }).click()
  await expect(stranger.getByText('This password is wrong.')).toBeVisible()
  await stranger.getByLabel('Password', { exact: true }).fill('open sesame')
  await stranger.getByRole('button', { name: 'Show statistics' }).click()
  const stats = new StatsPage(stranger)
  await expect(stats.total('Clicks')).toContainText('1')
  await expect(stranger.getByRole('heading', { level: 1 })).toContainText(link.code)
  await expect(stranger.getByText('Spring sale')).toBeVisible()
  for (const name of ['Share', 'Export', 'Add note', 'Segments']) {
    await expect(stranger.getByRole('button', { name })).toHaveCount(0)
  }
  await expect(stats.region('Latest clicks')).toHaveCount(0)
  await stats.row('Browser', 'Firefox').click()
  await expect(stranger).toHaveURL(/share=.*browser=Firefox/)
  await expect(stats.total('Clicks')).toContainText('1')
  await stranger.close()
})

test('a badge and a chart stand on another site, without scripts, light and dark', async ({
  browser,
  dashboard,
  page,
  destination,
}) => {
  await dashboard.open()
  const link = await clickedLink(page, {})
  const made = await page.request.post('/api/v1/shares', { data: { code: link.code, embeddable: true } })
  const { badgeUrl, embedUrl, url } = await made.json()
  const context = await browser.newContext({ javaScriptEnabled: false, colorScheme: 'dark' })
  const other = await context.newPage()
  await other.goto(destination)
  await other.setContent(
    `<img src="${badgeUrl}" alt="badge"><iframe src="${embedUrl}" width="600" height="280"></iframe><iframe src="${url}"></iframe>`,
  )
  const frame = other.frameLocator('iframe').first()
  await expect(frame.getByText('Clicks', { exact: true })).toBeVisible()
  await expect(frame.locator('rect')).toHaveCount(30)
  await expect(frame.locator('body')).toHaveCSS('background-color', 'rgb(24, 24, 27)')
  expect(await other.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(60)
  await context.close()
})
