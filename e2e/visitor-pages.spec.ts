import type { Page } from '@playwright/test'
import { signUp } from './support/account'
import { expectClean } from './support/clean'
import { BASE_URL } from './support/settings'
import { expect, test, uniqueCode } from './support/test'

const WIDTHS = [320, 360, 768, 1280, 1920]

/** Axe finds nothing, and no width makes the page scroll sideways. */
async function expectWhole(page: Page): Promise<void> {
  await expectClean(page)
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth), { message: `${width}` }).toBe(width)
  }
}

/** Runs on the page. @returns the typefaces that it brings, and whether they came */
const typefaces = () => [...document.fonts].map(({ family, status }) => `${family} ${status}`)

const heading = (page: Page) => page.getByRole('heading', { level: 1 })
const LONG = `https://example.com/${'a'.repeat(300)}?q=${'b'.repeat(200)}`

test.describe('everyone can use the pages of', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  test('a link with a password, before and after a wrong one', async ({ page, makeLink }) => {
    const { shortUrl } = await makeLink({ url: LONG, password: 'open sesame' })
    await page.goto(shortUrl)
    await expect(heading(page)).toHaveText('This link is protected by a password')
    await expect.poll(() => page.evaluate(typefaces)).toEqual(['Geist loaded'])
    await expectWhole(page)
    await page.getByLabel('Password').fill('wrong')
    await page.getByRole('button', { name: 'Open link' }).click()
    await expect(page.getByRole('alert')).toHaveText('Wrong password. Try again.')
    await expectWhole(page)
  })

  test('a preview with a long title and a long destination', async ({ page, makeLink }) => {
    const { shortUrl } = await makeLink({ url: LONG, title: 'x'.repeat(120) })
    await page.goto(`${shortUrl}+`)
    await expect(heading(page)).toHaveText('Where this link leads')
    await expectWhole(page)
  })

  test('links that have expired, are used up, not active yet, or were turned off', async ({
    page,
    makeLink,
    request,
    statusOf,
  }) => {
    // Far enough off to be still ahead when a busy machine reads it. It passes while the other pages are looked at.
    const until = new Date(Date.now() + 3_000).toISOString()
    const [expired, once, early, off] = await Promise.all([
      makeLink({ url: LONG, expiresAt: until }),
      makeLink({ url: LONG, maxClicks: 1 }),
      makeLink({ url: LONG, startsAt: '2099-05-03T14:05:00Z' }),
      makeLink({ url: LONG }),
    ])
    await statusOf(once.shortUrl)
    const headers = { Authorization: `Bearer ${off.manageToken}` }
    expect((await request.patch(`/api/v1/links/${off.code}`, { headers, data: { enabled: false } })).status()).toBe(200)
    for (const { shortUrl } of [once, off]) await expect.poll(() => statusOf(shortUrl)).toBe(410)

    const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(until))
    for (const [{ shortUrl }, title, text, way] of [
      [once, 'This link has reached its click limit', 'It no longer leads anywhere.', 'Shorten a link of your own'],
      [early, 'This link isn’t active yet', 'It starts working on 3 May 2099 at 14:05 UTC.', 'Try again'],
      [off, 'This link is turned off', 'Its owner can turn it on again.', 'Try again'],
      [expired, 'This link has expired', `It expired on ${day}.`, 'Shorten a link of your own'],
    ] as const) {
      if (shortUrl === expired.shortUrl) await expect.poll(() => statusOf(shortUrl)).toBe(410)
      await page.goto(shortUrl)
      await expect(heading(page)).toHaveText(title)
      await expect(page.getByText(text)).toBeVisible()
      await expect(page.getByRole('main').getByRole('link')).toHaveText([way])
      await expectWhole(page)
    }
  })

  test('a deleted link, an unknown one, and an address that cannot be read', async ({ page, makeLink, request, statusOf }) => {
    const { code, shortUrl, manageToken } = await makeLink({ url: LONG })
    await request.delete(`/api/v1/links/${code}`, { headers: { Authorization: `Bearer ${manageToken}` } })
    await expect.poll(() => statusOf(shortUrl)).toBe(410)
    for (const [url, title] of [
      [shortUrl, 'This link was deleted'],
      [`${BASE_URL}/${uniqueCode('unknown')}`, 'There’s no such link'],
      [`${BASE_URL}/%zz`, 'This address can’t be read'],
    ] as const) {
      await page.goto(url)
      await expect(heading(page)).toHaveText(title)
      await expect(page.getByText('Terse makes long links short.')).toBeVisible()
      await expectWhole(page)
    }
  })

  test('an address of the app that is no page, signed in and not', async ({ page }) => {
    for (const path of ['/docs/zzz', '/dashboard/zzz']) {
      expect((await page.goto(path))?.status()).toBe(404)
      await expect(heading(page)).toHaveText('Page not found')
      await expect(page).toHaveTitle('Page not found · Terse')
      await expectWhole(page)
    }
    await signUp(page)
    expect((await page.goto('/dashboard/zzz'))?.status()).toBe(404)
    await expect(page.getByRole('navigation', { name: 'Your account' }).locator('[aria-current]')).toHaveCount(0)
    await page.getByRole('main').getByRole('link', { name: 'Go to your links' }).click()
    await expect(page).toHaveURL('/dashboard')
  })
})

test.describe('in Spanish, whose dates are long', () => {
  test.use({ locale: 'es-ES', viewport: { width: 320, height: 640 } })

  test('the date of a start takes two lines on a narrow screen, and nothing sticks out', async ({ page, makeLink }) => {
    const { shortUrl } = await makeLink({ url: LONG, startsAt: '2099-09-23T14:05:00Z' })
    await page.goto(shortUrl)
    await expect(page.getByText('23 de septiembre de 2099')).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  })
})

test('pages of links load nothing from elsewhere and are refused nothing', async ({ page, makeLink }) => {
  const { shortUrl } = await makeLink({ url: 'https://example.com/', password: 'open sesame' })
  const asked: string[] = []
  const refused: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  page.on('console', (message) => refused.push(message.text()))
  await page.goto(shortUrl, { waitUntil: 'networkidle' })
  const others = asked.filter((url) => url !== shortUrl && !url.startsWith(`${BASE_URL}/assets/icon`))
  expect(others).toEqual([`${BASE_URL}/assets/geist.woff2`])
  expect(refused).toEqual([])
})

test('the pages of the product say what they are where they are shared', async ({ page, request }) => {
  for (const [path, title] of [
    ['/', 'Terse: short links'],
    ['/sign-in', 'Sign in · Terse'],
    ['/docs', 'API · Terse'],
  ] as const) {
    await page.goto(path)
    const content = (name: string) => page.locator(`meta[property="${name}"]`).getAttribute('content')
    expect(await content('og:title')).toBe(title)
    expect((await content('og:description'))?.length).toBeGreaterThan(20)
    expect(await content('og:site_name')).toBe('Terse')
    const image = (await content('og:image')) ?? ''
    expect(new URL(image).origin).toBe(BASE_URL)
    const picture = await request.get(image)
    expect([picture.status(), picture.headers()['content-type']]).toEqual([200, 'image/png'])
  }
})
