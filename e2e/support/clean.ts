import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

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
  // Axe stays on the page that it was put on: to read its half a megabyte takes longer than to look at a page.
  const isThere = await page.evaluate(() => 'axe' in window)
  // The pages have no frames, so the second page that axe opens to gather their results is spared.
  // Of what is in order only the names of the rules are told.
  const axe = new AxeBuilder({ page, ...(isThere && { axeSource: 'window.axe' }) })
    .options({ resultTypes: ['violations'] })
    .setLegacyMode()
  if (rules !== undefined) axe.withRules(rules)
  const { violations } = await axe.analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)).toEqual([])
}
