import type { Browser, Page } from '@playwright/test'
import { expectClean } from './clean'
import { BASE_URL } from './settings'

/** A page of a browser with scripts turned off. */
export async function withoutScripts(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ baseURL: BASE_URL, javaScriptEnabled: false })
  return context.newPage()
}

/** Axe is a script: it looks at a copy of the page in a browser that runs them. */
export async function expectCleanCopy(page: Page, browser: Browser): Promise<void> {
  const html = (await page.content()).replace(/<script\b[\s\S]*?<\/script>|<\/?noscript[^>]*>/g, '')
  const context = await browser.newContext({ baseURL: BASE_URL, reducedMotion: 'reduce' })
  const copy = await context.newPage()
  await copy.route('/copy', (route) => route.fulfill({ contentType: 'text/html; charset=utf-8', body: html }))
  await copy.goto('/copy')
  await expectClean(copy)
  await context.close()
}

/** Keeps the app's scripts back, as a slow line does. @returns what lets them through */
export async function holdScripts(page: Page): Promise<() => Promise<void>> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const isScript = (url: URL) => url.pathname.startsWith('/_next/') && url.pathname.endsWith('.js')
  await page.route(isScript, async (route) => {
    await released
    await route.continue().catch(() => undefined)
  })
  return async () => {
    release()
    await page.unroute(isScript)
  }
}
