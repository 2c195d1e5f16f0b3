import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import type * as Axe from 'axe-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

declare global {
  interface Window {
    axe?: typeof Axe
  }
}

/** Axe finds nothing, in light and in dark colours, and nothing sticks out sideways. */
export async function expectClean(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  await expectNoViolation(page)
  const sticksOut = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
  expect(sticksOut).toBe(false)
  // Nothing but colours depends on the scheme.
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectNoViolation(page, ['color-contrast', 'link-in-text-block'])
  await expectNarrow(page)
}

/** On the narrowest of screens nothing sticks out either. */
async function expectNarrow(page: Page): Promise<void> {
  const size = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 740 })
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
  if (size) await page.setViewportSize(size)
}

async function expectNoViolation(page: Page, rules?: string[]): Promise<void> {
  // Colours are measured as they end up: not while what is out of date is dimmed, nor half-way through fading in.
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'))
  // Axe stays on the page that it was put on: to read its half a megabyte takes longer than to look at a page. It is put there
  // and asked without AxeBuilder, which reads it twice a page, and each time it is asked sends all of it back.
  if (await page.evaluate(() => window.axe === undefined)) await page.evaluate(AXE)
  const found = await page.evaluate(async (runOnly) => {
    if (!window.axe) throw new Error('axe is not on this page')
    // Of what is in order only the names of the rules are told.
    const { violations } = await window.axe.run(document, { resultTypes: ['violations'], ...(runOnly && { runOnly }) })
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
  }, rules)
  expect(found).toEqual([])
}
