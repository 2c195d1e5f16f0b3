import { gzipSync } from 'node:zlib'
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page, type Request } from '@playwright/test'

/** The cookies of a session, where a page needs one. */
export type Cookies = Parameters<BrowserContext['addCookies']>[0]

/** A page that is measured. */
export interface Visit {
  url: string
  cookies?: Cookies
}

/** The line and the processor of a phone, as Lighthouse has them: 1.6 Mbit/s, 150 ms, four times slower than this machine. */
const SLOW_LINE = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }
const SLOWER = 4

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'],
  })
}

export interface Weight {
  /** Sizes by address, gzipped, in bytes: all scripts that came before anybody clicked. */
  scripts: Record<string, number>
  /** The page itself, gzipped. */
  html: number
  /** What the renderer did, in ms, on this machine as it is. */
  taskMs: number
  scriptMs: number
}

/** What a browser loads of a page that is opened for the first time, until it is at rest. */
export function weigh(browser: Browser, visit: Visit): Promise<Weight> {
  return withPage(browser, visit, async (page, session) => {
    const bodies: Promise<[url: string, type: string, gzip: number]>[] = []
    page.on('response', (response) => {
      const type = response.request().resourceType()
      if (type !== 'script' && type !== 'document') return
      bodies.push(response.body().then((body) => [response.url(), type, gzipSync(body).length]))
    })
    await session.send('Performance.enable')
    await open(page, visit.url)
    const { metrics } = await session.send('Performance.getMetrics')
    const ms = (name: string) => (metrics.find((metric) => metric.name === name)?.value ?? Number.NaN) * 1000
    const sizes = await Promise.all(bodies)
    return {
      scripts: Object.fromEntries(sizes.filter(([, type]) => type === 'script').map(([url, , gzip]) => [url, gzip])),
      html: sizes.find(([, type]) => type === 'document')?.[2] ?? Number.NaN,
      taskMs: ms('TaskDuration'),
      scriptMs: ms('ScriptDuration'),
    }
  })
}

export interface Paint {
  /** Largest Contentful Paint, in ms. */
  lcp: number
  /** Cumulative Layout Shift. */
  cls: number
}

/** When a page shows what matters on a slow phone, and how much it moves until it is at rest. */
export function watchPaint(browser: Browser, visit: Visit): Promise<Paint> {
  return withPage(browser, visit, async (page, session) => {
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', SLOW_LINE)
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
    await open(page, visit.url)
    return await page.evaluate(readPaint)
  })
}

/** Runs on the page. */
async function readPaint(): Promise<Paint> {
  type Entry = PerformanceEntry & { value?: number; hadRecentInput?: boolean }
  const entriesOf = (type: string) =>
    new Promise<Entry[]>((resolve) => {
      new PerformanceObserver((list) => resolve(list.getEntries())).observe({ type, buffered: true })
      setTimeout(resolve, 500, [])
    })
  const paints = await entriesOf('largest-contentful-paint')
  const shifts = await entriesOf('layout-shift')
  return {
    lcp: paints.at(-1)?.startTime ?? Number.NaN,
    cls: shifts.reduce((total, { value = 0, hadRecentInput }) => total + (hadRecentInput ? 0 : value), 0),
  }
}

async function open(page: Page, url: string): Promise<void> {
  const quiet = atRest(page)
  const response = await page.goto(url)
  if (response?.status() !== 200 || page.url() !== url) throw new Error(`${url}: ${response?.status()}, ended at ${page.url()}`)
  await quiet
}

/** How long nothing is on its way before a page is at rest, in ms. */
const REST = 500

/** Settles when nothing is on its way any more; a stream of live clicks never ends, and counts as having come. */
function atRest(page: Page): Promise<void> {
  const underWay = new Set<Request>()
  let timer: NodeJS.Timeout | undefined
  let resolve = () => {}
  const rest = new Promise<void>((settle) => {
    resolve = settle
  })
  const ended = (request: Request) => {
    underWay.delete(request)
    clearTimeout(timer)
    if (underWay.size === 0) timer = setTimeout(() => resolve(), REST)
  }
  page.on('request', (request) => {
    underWay.add(request)
    clearTimeout(timer)
  })
  page.on('requestfinished', ended)
  page.on('requestfailed', ended)
  page.on('response', (response) => {
    if (response.headers()['content-type']?.startsWith('text/event-stream')) ended(response.request())
  })
  return rest
}

/** A browser that has been nowhere before, on a phone. */
async function withPage<T>(
  browser: Browser,
  { cookies }: Visit,
  work: (page: Page, session: CDPSession) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 412, height: 823 }, isMobile: true, hasTouch: true })
  try {
    if (cookies) await context.addCookies(cookies)
    const page = await context.newPage()
    return await work(page, await context.newCDPSession(page))
  } finally {
    await context.close()
  }
}
