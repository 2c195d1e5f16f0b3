import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from '@playwright/test'
import type * as Axe from 'axe-core'
import { expectNothingSticksOut } from './widths'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

declare global {
  interface Window {
    axe?: typeof Axe
  }
}

interface How {
  /** Measures contrast once for each look: for a page that repeats a few looks thousands of times. */
  oneOfEachLook?: boolean
  /** Not on a phone too: a page of thousands of parts is looked at there by a test of its own. */
  noPhone?: boolean
}

/** The phone on which a page is looked at as on the screen of the test. */
export const PHONE = { width: 360, height: 740 }

/** Axe finds nothing, in light and in dark colours, on the screen and on a phone, and nothing sticks out sideways at any width. */
export async function expectClean(page: Page, how: How = {}): Promise<void> {
  const screen = page.viewportSize() ?? PHONE
  await expectNoViolations(page, how)
  await expectNothingSticksOut(page)
  if (how.noPhone || screen.width === PHONE.width) return
  await page.setViewportSize(PHONE)
  await expectNoViolations(page, how)
  await page.setViewportSize(screen)
}

async function expectNoViolations(page: Page, how: How): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  await expectNoViolation(page, how)
  // Nothing but colours depends on the scheme.
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectNoViolation(page, { ...how, rules: ['color-contrast', 'link-in-text-block'] })
}

async function expectNoViolation(page: Page, how: How & { rules?: string[] }): Promise<void> {
  // Colours are measured as they end up: not while what is out of date is dimmed, nor half-way through fading in.
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'))
  // Axe stays on the page that it was put on: to read its half a megabyte takes longer than to look at a page. It is put there
  // and asked without AxeBuilder, which reads it twice a page, and each time it is asked sends all of it back.
  if (await page.evaluate(() => window.axe === undefined)) await page.evaluate(AXE)
  // Next.js takes the title away for a moment when it is on its way to another address, and gives it with the page.
  await page.waitForFunction(() => document.title !== '')
  expect(await page.evaluate(violations, how)).toEqual([])
}

/** Runs on the page. @returns what axe finds there */
async function violations({ rules, oneOfEachLook = false }: How & { rules?: string[] }): Promise<string[]> {
  const { axe } = window
  if (!axe) throw new Error('axe is not on this page')
  // Of what is in order only the names of the rules are told.
  const resultTypes: Axe.resultGroups[] = ['violations']
  const contrast = 'color-contrast'
  const runs = [
    await axe.run(document, {
      resultTypes,
      rules: { [contrast]: { enabled: !oneOfEachLook } },
      ...(rules && { runOnly: rules.filter((rule) => rule !== contrast || !oneOfEachLook) }),
    }),
  ]
  if (oneOfEachLook) runs.push(await axe.run({ include: looks() }, { resultTypes, runOnly: [contrast] }))
  return runs.flatMap((run) =>
    run.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`),
  )

  /** The first text of each look: its styles that contrast depends on, and those of all that it stands in, are no other's. */
  function looks(): Element[] {
    const paint = ['color', 'background-color', 'background-image', 'opacity', 'filter', 'mix-blend-mode', 'text-shadow']
    const styles = [...paint, 'font-size', 'font-weight', 'position']
    const numbers = new Map<string, number>()
    const lookOf = new Map<Element | null, number>()
    const texts = new Map<number, Element>()
    for (const element of document.querySelectorAll('*')) {
      const style = getComputedStyle(element)
      const own = styles.map((name) => style.getPropertyValue(name))
      const key = [lookOf.get(element.parentElement), ...own].join()
      const look = numbers.get(key) ?? numbers.size
      numbers.set(key, look)
      lookOf.set(element, look)
      const isText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.nodeValue?.trim())
      if (isText && !texts.has(look) && element.checkVisibility({ visibilityProperty: true })) texts.set(look, element)
    }
    return [...texts.values()]
  }
}
