import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

/** Axe finds nothing, and nothing sticks out sideways. */
export async function expectClean(page: Page): Promise<void> {
  // Colours are measured as they end up, not half-way through fading in.
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'))
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)).toEqual([])
  const sticksOut = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
  expect(sticksOut).toBe(false)
}
