import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { makeOwn, signUp } from './support/account'
import { expect, test, uniqueCode } from './support/test'

/** What every page of the framework loads. The bench measures an empty one each time: bench/cases/pages.ts. */
const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '../.next/build-manifest.json'), 'utf8')) as {
  rootMainFiles: string[]
}
/** What an empty page loads beyond these, in bytes: bench/empty, as the bench found it. */
const EMPTY = 2_400
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
