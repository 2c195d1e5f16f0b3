import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { makeOwn, signUp } from './support/account'
import { holdScripts } from './support/late-scripts'
import { BASE_URL } from './support/settings'
import { AGENTS } from './support/stats-page'
import { expect, test, uniqueCode } from './support/test'

/** What every page of the framework loads. The bench measures an empty one each time: bench/cases/pages.ts. */
const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../.next/build-manifest.json'), 'utf8')) as {
  rootMainFiles: string[]
}
/** What an empty page loads beyond these, in bytes: bench/empty, as the bench found it. */
const EMPTY = 2_400
/** Cumulative Layout Shift that nobody notices. */
const MOST_SHIFT = 0.02
const FRAMEWORK = new Set(manifest.rootMainFiles.map((file) => basename(file)))

/** Gzipped bytes of the scripts that a page loads of its own accord, above an empty page of the framework. */
async function scriptsOf(page: Page, path: string): Promise<number> {
  const sizes: Promise<number>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'script' || FRAMEWORK.has(basename(new URL(response.url()).pathname))) return
    sizes.push(response.body().then((body) => gzipSync(body).length))
  })
  await page.goto(path)
  await page.waitForLoadState('networkidle')
  return (await Promise.all(sizes)).reduce((total, size) => total + size, 0) - EMPTY
}

// What a click opens comes with the click (app/_ui/base/on-demand.tsx), and schemas stay on the server: docs/decisions/0032-weight.md.
test('the front page loads at most 40 KB of JavaScript, and 60 KB of one typeface', async ({ page }) => {
  const fonts: Promise<number>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'font') fonts.push(response.body().then((body) => body.length))
  })
  expect(await scriptsOf(page, '/')).toBeLessThanOrEqual(40_000)
  const sizes = await Promise.all(fonts)
  expect(sizes.reduce((total, size) => total + size, 0)).toBeLessThanOrEqual(60_000)
  expect(sizes).toHaveLength(1)
})

test('the dashboard loads at most 110 KB of JavaScript', async ({ page }) => {
  await signUp(page)
  await makeOwn(page, { url: 'https://example.com/', code: uniqueCode('weight') })
  expect(await scriptsOf(page, '/dashboard')).toBeLessThanOrEqual(110_000)
})

/** How much moved on the page that nobody had asked to: Cumulative Layout Shift. */
const shiftOf = (page: Page) =>
  page.evaluate(async () => {
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node: Node | null }[] }
    const shifts = await new Promise<Shift[]>((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries() as Shift[])).observe({ type: 'layout-shift', buffered: true })
      setTimeout(resolve, 500, [])
    })
    return shifts.reduce((sum, { value, hadRecentInput }) => sum + (hadRecentInput ? 0 : value), 0)
  })

/** Opens a page on a phone, lets its scripts and then its data arrive late, and measures what moved. */
async function shiftsOf(page: Page, path: string, whole: string): Promise<number> {
  let answer = () => {}
  const late = new Promise<void>((resolve) => {
    answer = resolve
  })
  const run = await holdScripts(page)
  await page.route('**/api/v1/**', async (route) => {
    await late
    await route.continue()
  })
  await page.goto(path, { waitUntil: 'commit' })
  await expect(page.locator('main')).toBeVisible()
  await page.evaluate(painted)
  run()
  await page.waitForLoadState('load')
  await page.evaluate(painted)
  answer()
  await expect(page.getByText(whole).first()).toBeVisible()
  await expect(page.locator('.skeleton')).toHaveCount(0)
  await page.evaluate(painted)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  return await shiftOf(page)
}

/** Runs on the page. Settles when all that there is was painted. */
const painted = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))

/** Clicks the account's link as a person does. Settles when it is counted. */
async function visit({ request }: Page, code: string): Promise<void> {
  await request.get(`/${code}`, { maxRedirects: 0, headers: { 'User-Agent': AGENTS.firefox } })
  await expect
    .poll(async () => ((await (await request.get(`/api/v1/links/${code}`)).json()) as { clicks: number }).clicks)
    .toBe(1)
}

test.describe('on a phone', () => {
  test.use({ viewport: { width: 412, height: 823 } })

  test('nothing jumps while a page of numbers is filled', async ({ page, makeLink }) => {
    await signUp(page)
    const { code } = await makeOwn(page, { url: 'https://example.com/', code: uniqueCode('still') })
    const strange = await makeLink({ url: 'https://example.com/', code: uniqueCode('strange') })
    const pages = [
      [`/stats/${code}`, 'No clicks yet'],
      [`/stats/${strange.code}`, 'Manage token'],
      ['/dashboard/overview', 'Overview'],
      ['/dashboard', code],
    ] as const
    for (const [path, whole] of pages) expect(await shiftsOf(page, path, whole), path).toBeLessThan(MOST_SHIFT)
    await visit(page, code)
    const filled = [
      [`/stats/${code}`, 'Clicks over time'],
      ['/dashboard/overview', 'Clicks by day'],
    ] as const
    for (const [path, whole] of filled) expect(await shiftsOf(page, path, whole), path).toBeLessThan(MOST_SHIFT)
  })
})

test('the statistics of an own link are there before scripts, and without', async ({ browser, page }) => {
  await signUp(page)
  const { code } = await makeOwn(page, { url: 'https://example.com/a/place', code: uniqueCode('served') })
  const context = await browser.newContext({ javaScriptEnabled: false, storageState: await page.context().storageState() })
  const still = await context.newPage()
  await still.goto(`${BASE_URL}/stats/${code}`)
  await expect(still.getByRole('heading', { name: 'No clicks yet' })).toBeVisible()
  await expect(still.getByText('example.com/a/place')).toBeVisible()
  await visit(page, code)
  await still.reload()
  await expect(still.getByRole('heading', { name: 'Busy hours' })).toBeVisible()
  await context.close()
})
