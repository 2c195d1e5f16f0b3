import type { APIRequestContext, Page } from '@playwright/test'
import { expect, test } from './support/test'

const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1'
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'

/** Follows a short URL as some other browser does. */
async function follow(request: APIRequestContext, shortUrl: string, agent: string, referrer?: string): Promise<void> {
  const headers = { 'User-Agent': agent, ...(referrer === undefined ? {} : { Referer: referrer }) }
  expect((await request.get(shortUrl, { maxRedirects: 0, headers })).status()).toBe(302)
}

const card = (page: Page, name: string) => page.locator('dl > div', { hasText: new RegExp(`^${name}`) }).locator('dd')

test('three people follow a link, and the right numbers arrive on its page without a reload', async ({
  front,
  page,
  request,
}) => {
  const shortUrl = await front.make('https://example.com/launch')
  await front
    .row(shortUrl)
    .getByRole('link', { name: /statistics/i })
    .click()
  await expect(page).toHaveURL(/\/stats\//)
  await expect(page.getByRole('status').filter({ hasText: 'Live' })).toBeVisible()
  // Lost if the page were loaded again.
  await page.evaluate(() => Object.assign(window, { untouched: true }))

  await follow(request, shortUrl, CHROME, 'https://news.example.com/front')
  await expect(card(page, 'Clicks')).toContainText('1')
  await follow(request, shortUrl, IPHONE, 'https://social.example.org/post/1')
  await follow(request, shortUrl, FIREFOX)
  await follow(request, shortUrl, FIREFOX)
  await follow(request, shortUrl, 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)')
  await follow(request, shortUrl, 'Googlebot/2.1 (+http://www.google.com/bot.html)')

  await expect(card(page, 'Clicks')).toHaveText(/^4/)
  await expect(card(page, 'Visitors')).toHaveText(/^3/)
  await expect(page.getByRole('button', { name: 'Bots 1' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Previews 1' })).toBeVisible()
  for (const value of ['news.example.com', 'social.example.org', 'Direct', 'Chrome', 'Safari', 'Firefox']) {
    await expect(page.getByRole('button', { name: new RegExp(value) }).first()).toBeVisible()
  }
  expect(await page.evaluate(() => 'untouched' in window)).toBe(true)

  await page
    .getByRole('button', { name: /Firefox/ })
    .first()
    .click()
  await expect(page).toHaveURL(/browser=Firefox/)
  await expect(card(page, 'Clicks')).toHaveText(/^2/)
  await page.goBack()
  await expect(card(page, 'Clicks')).toHaveText(/^4/)
})

test('what visitors and owners write is text and nothing else, on the page and in its export', async ({
  front,
  page,
  request,
  makeLink,
}) => {
  const title = '<img src=x onerror="window.hacked=1">'
  const { shortUrl, code, manageToken } = await makeLink({ url: 'https://example.com/', title })
  const evil = `"><script>window.hacked=1</script>=cmd|' /C calc'!A1`
  await follow(
    request,
    `${shortUrl}?utm_source=${encodeURIComponent('=1+1<b>')}`,
    `${CHROME} ${evil}`,
    `https://evil.example/${evil}`,
  )
  // A user agent like that is a program's.
  await front.page.goto(`/stats/${code}?kind=bot#token=${manageToken}`)
  await expect(card(page, 'Bot clicks')).toHaveText(/^1/)
  await expect(page.getByText(title).first()).toBeVisible()
  await expect(page.getByText('evil.example').first()).toBeVisible()
  expect(page.url()).not.toContain('token')
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  expect(await page.locator('main script, main img[src="x"]').count()).toBe(0)

  const headers = { Authorization: `Bearer ${manageToken}` }
  const csv = await (await request.get(`/api/v1/links/${code}/clicks.csv`, { headers })).text()
  expect(csv).toContain("'=1+1<b>")
  expect(csv).not.toMatch(/(^|,)"?[=+@-]/m)
})
