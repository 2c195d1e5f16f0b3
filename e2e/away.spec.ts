import type { Page } from '@playwright/test'

import { signUp } from './support/account'
import { expectClean } from './support/clean'
import { FrontPage } from './support/front-page'

import { expect, test, uniqueCode } from './support/test'

test.use({ serviceWorkers: 'allow' })

/** The front page, kept by the browser for when there is no network. */
async function keptFront(page: Page): Promise<FrontPage> {
  const front = new FrontPage(page)
  await front.open()
  await page.evaluate(() => navigator.serviceWorker.ready)
  await expect.poll(() => page.evaluate(async () => (await caches.keys()).length)).toBe(1)
  return front
}

/** The codes that this page is told of as it creates links, in their order. */
const createdWith = (page: Page) => {
  const created: string[] = []
  page.on('response', async (response) => {
    if (response.request().method() === 'POST' && response.url().endsWith('/api/v1/links') && response.status() === 201)
      created.push(((await response.json()) as { code: string }).code)
  })
  return created
}

test('the site can be installed', async ({ page, request }) => {
  await keptFront(page)
  const cdp = await page.context().newCDPSession(page)
  const { errors } = await cdp.send('Page.getAppManifest')
  expect(errors).toEqual([])
  const { installabilityErrors } = await cdp.send('Page.getInstallabilityErrors')
  // What a window without a trace may not do is said of the window, not of the site.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
  const manifest = await (await request.get('/manifest.webmanifest')).json()
  for (const { src, sizes, type } of manifest.icons as { src: string; sizes: string; type: string }[]) {
    expect((await request.get(src)).headers()['content-type']).toContain(type)
    const width = await page.evaluate(async (url) => {
      const image = new Image()
      image.src = url
      await image.decode()
      return image.naturalWidth
    }, src)
    if (sizes !== 'any') expect(`${width}x${width}`).toBe(sizes)
  }
})

test('a URL typed without a network becomes one link once it is back, however often it is tried', async ({
  page,
  context,
  destination,
}) => {
  const front = await keptFront(page)
  const created = createdWith(page)
  await context.setOffline(true)
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('You’re offline')
  await expectClean(page)
  await page.getByRole('button', { name: 'Keep for later' }).click()
  await expect(page.getByLabel('URL to shorten')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('URL to shorten').fill('not a url')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status')).toHaveText('Enter a whole URL, such as https://example.com/page.')
  await page.getByLabel('URL to shorten').fill(`${destination}/typed-offline`)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('status')).toHaveText('Kept on this device. The short link is created when you’re back online.')
  await expect(page.getByRole('list', { name: 'Kept on this device' })).toContainText('/typed-offline')
  await expectClean(page)
  await page.reload()
  await expect(page.getByRole('listitem')).toHaveCount(1)

  // Every answer is lost on its way, until it is not.
  const lost: string[] = []
  let down = true
  await context.route('**/api/v1/links', async (route) => {
    if (route.request().method() !== 'POST' || !down) return route.continue()
    lost.push(((await (await route.fetch()).json()) as { code: string }).code)
    await route.abort()
  })
  await context.setOffline(false)
  await front.untilAlive()
  await expect(page.getByRole('heading', { name: 'Kept while you were offline' })).toBeVisible()
  await expectClean(page)
  await expect.poll(() => lost.length).toBeGreaterThan(0)
  down = false
  await page.reload()
  await expect(front.result).toContainText('/typed-offline')
  await expect(front.rows).toHaveCount(1)
  await page.reload()
  await front.untilAlive()
  await expect(front.rows).toHaveCount(1)
  expect(created).toEqual([lost[0]])
  expect(new Set(lost).size).toBe(1)
  expect(await page.evaluate(() => localStorage.getItem('terse:waiting'))).toBeNull()
})

test('a page that loses its network keeps what is typed, and short links are never the worker’s', async ({
  page,
  context,
  destination,
  makeLink,
}) => {
  const front = await keptFront(page)
  await page.reload()
  await front.untilAlive()
  await context.setOffline(true)
  await front.url.fill(`${destination}/kept`)
  await front.shorten.click()
  const kept = page.getByRole('status').filter({ hasText: 'You’re offline. Kept on this device' })
  await expect(kept.getByRole('listitem')).toHaveText([`${destination}/kept`])
  await expect(front.url).toHaveValue('')
  await expect(page.locator('main').getByRole('alert')).toHaveCount(0)
  await expectClean(page)
  const failed = await page.goto(`/${uniqueCode()}`).catch((error: Error) => error)
  expect(failed).toBeInstanceOf(Error)
  await context.setOffline(false)

  const { shortUrl } = await makeLink({ url: `${destination}/untouched` })
  const answer = await page.goto(shortUrl)
  expect(answer?.url()).toBe(`${destination}/untouched`)
  expect(answer?.request().redirectedFrom()?.url()).toBe(shortUrl)
  expect(await answer?.request().redirectedFrom()?.serviceWorker()).toBeFalsy()
  expect((await answer?.request().redirectedFrom()?.response())?.fromServiceWorker()).toBe(false)

  await front.open()
  await expect(front.result).toContainText('/kept')

  // What is refused for good can be put right, and not be tried again as it is.
  await page.evaluate((url) => {
    localStorage.setItem('terse:waiting', JSON.stringify([{ id: `${crypto.randomUUID()}.${crypto.randomUUID()}`, url }]))
  }, shortUrl)
  await front.open()
  const waiting = page.getByRole('region', { name: 'Kept while you were offline' })
  await expect(waiting.getByRole('link', { name: /^Edit/ })).toBeVisible()
  await expect(waiting).not.toContainText('url:')
  await expect(waiting.getByRole('button', { name: /^Try again/ })).toHaveCount(0)
  await expectClean(page)
  await waiting.getByRole('link', { name: /^Edit/ }).click()
  await expect(front.url).toHaveValue(shortUrl)
  await expect(waiting).toHaveCount(0)
})

test('of what is shared without a URL it is said so', async ({ page }) => {
  await page.goto('/?text=just+words')
  await expect(page.getByText('There’s no URL in what was shared.')).toBeVisible()
})

test('what another app shares is filled in, and nothing is created before a press', async ({ page, context, destination }) => {
  const front = new FrontPage(page)
  const created = createdWith(page)
  // As a phone does it, by what the manifest says.
  const { share_target: target } = await (await page.request.get('/manifest.webmanifest')).json()
  expect(target.method).toBe('GET')
  const { title, text } = target.params
  const shared = `${target.action}?${new URLSearchParams({ [title]: 'A page', [text]: `Look at this: ${destination}/shared.` })}`
  await page.goto(shared)
  await front.untilAlive()
  await expect(front.url).toHaveValue(`${destination}/shared`)
  expect(created).toEqual([])
  await front.shorten.click()
  await expect(front.result).toContainText('/shared')
  await expect.poll(() => created.length).toBe(1)

  await page.evaluate(() => navigator.serviceWorker.ready)
  await context.setOffline(true)
  await page.goto(shared)
  await expect(page.getByLabel('URL to shorten')).toHaveValue(`${destination}/shared`)
  await context.setOffline(false)
  await expect(front.url).toHaveValue(`${destination}/shared`)
})

test('the bookmark brings the page that it is used on, past the strictest site', async ({ page, destination }) => {
  await signUp(page)
  await page.goto('/dashboard/settings/tools')
  const code = await page.getByLabel('Address of the bookmark', { exact: true }).inputValue()
  const button = page.getByRole('link', { name: 'Shorten with Terse' })
  await expect(button).toHaveAttribute('href', code)
  await page.getByRole('button', { name: 'Copy Address of the bookmark' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(code)
  await expectClean(page)

  const strict = `${destination}/strict?a=1&b=ü#part`
  await page.route(`${destination}/strict**`, async (route) => {
    const headers = {
      'Content-Type': 'text/html',
      'Content-Security-Policy': "default-src 'none'",
    }
    await route.fulfill({ headers, body: '<!doctype html><title>Strict</title>' })
  })
  await page.goto(strict)
  const popup = page.waitForEvent('popup')
  await page.evaluate(code.slice('javascript:'.length))
  const opened = await popup
  await expect(opened.getByLabel('URL to shorten')).toHaveValue(`${destination}/strict?a=1&b=%C3%BC#part`)
})
