import { makeOwn, signUp } from './support/account'
import { BASE_URL } from './support/settings'
import { expect, test, uniqueCode } from './support/test'

const HOSTILE = '<img src=x onerror=alert(1)> \u202egnp.exe'
/** Without what turns the line around. */
const SHOWN = '<img src=x onerror=alert(1)> gnp.exe'

test('a public page shows the links that its owner lists, and nothing else', async ({ page, browser }) => {
  const owner = await signUp(page, `Ada ${HOSTILE}`)
  const [shown, hidden] = [uniqueCode('shown'), uniqueCode('hidden')]
  const listed = await makeOwn(page, { url: 'https://example.com/%3Cb%3E', code: shown, title: HOSTILE, listed: true })
  await makeOwn(page, { url: 'https://example.com/hidden', code: hidden })

  const stranger = await browser.newContext()
  const visit = await stranger.newPage()
  expect((await visit.goto(`${BASE_URL}/@${owner.handle}`))?.status()).toBe(404)

  expect(
    (await page.request.patch('/api/v1/account', { headers: { Origin: BASE_URL }, data: { publicProfile: true } })).status(),
  ).toBe(200)
  const answer = await visit.goto(`${BASE_URL}/@${owner.handle}`)
  expect(answer?.status()).toBe(200)
  expect(answer?.headers()['content-security-policy']).toContain("script-src 'self' 'nonce-")
  await expect(visit.getByRole('heading', { level: 1 })).toHaveText(`Ada ${SHOWN}`)
  const items = visit.getByRole('main').getByRole('listitem')
  await expect(items).toHaveCount(1)
  const link = items.getByRole('link')
  await expect(link).toHaveText(SHOWN)
  await expect(link).toHaveAttribute('href', listed.shortUrl)
  await expect(link).toHaveAttribute('rel', /nofollow/)
  await expect(visit.locator('main img')).toHaveCount(0)
  // Public pages may be found by search engines.
  await expect(visit.locator('meta[name=robots]')).toHaveCount(0)
  await expect(visit.locator('link[rel=canonical]')).toHaveAttribute('href', `${BASE_URL}/@${owner.handle}`)
  await stranger.close()
})

test('a public page goes on over pages, without JavaScript too', async ({ page, browser }) => {
  const owner = await signUp(page)
  await page.request.patch('/api/v1/account', { headers: { Origin: BASE_URL }, data: { publicProfile: true } })
  for (let count = 0; count < 51; count++) await makeOwn(page, { url: `https://example.com/${count}`, listed: true })
  const plain = await browser.newContext({ javaScriptEnabled: false })
  const visit = await plain.newPage()
  await visit.goto(`${BASE_URL}/@${owner.handle}`)
  const items = visit.getByRole('main').getByRole('listitem')
  await expect(items).toHaveCount(50)
  await visit.getByRole('link', { name: 'Older' }).click()
  await expect(items).toHaveCount(1)
  await expect(items).toContainText('example.com/0')
  await visit.getByRole('link', { name: 'Newest' }).click()
  await expect(items).toHaveCount(50)
  await plain.close()
})

test('there is no page for a handle that nobody has, nor for what is none', async ({ request }) => {
  for (const path of ['/@00000000', '/@1234567', '/@123456789', '/@abcdefgh', '/profile/1', '/profile/00000000']) {
    expect((await request.get(path)).status(), path).toBe(404)
  }
})
