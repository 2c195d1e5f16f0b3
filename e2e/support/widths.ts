import { expect, type Page } from '@playwright/test'

const WIDTHS = [320, 360, 768, 1280, 1920]
/** A phone and a screen: bars that stay in sight differ between these two. */
const COVERED_AT = [360, 1280]

/**
 * At no width does the page scroll sideways, nor does anything end beyond its edge or within a box that hides the rest, nor does a
 * control lie under something else.
 */
export async function expectNothingSticksOut(page: Page, where = page.url()): Promise<void> {
  const before = page.viewportSize()
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    await expect.poll(() => page.evaluate(stickingOut), { message: `${where} at ${width}` }).toEqual([])
    if (!COVERED_AT.includes(width)) continue
    await expect.poll(() => page.evaluate(covered), { message: `covered: ${where} at ${width}` }).toEqual([])
  }
  if (before) await page.setViewportSize(before)
}

/**
 * Names controls that lie under something else and stay there when they are scrolled to: those in sight, and all of a dialog. Menus
 * lie over a page for as long as they are open, and what just happened is said over it for some seconds. Runs in the page.
 */
function covered(): string[] {
  const dialog = [...document.querySelectorAll('dialog:modal, [role=dialog]')].filter((one) => one.checkVisibility()).at(-1)
  const found: string[] = []
  const scrolled: [Element, number][] = []
  const controls = (dialog ?? document).querySelectorAll<HTMLElement>('button, a[href], input, select, textarea, summary')
  for (const element of controls) {
    const first = boxOf(element)
    if (!first || (!dialog && (first.top < 0 || first.bottom > innerHeight)) || isReached(element, first)) continue
    if (element.matches(':disabled, [inert] *, [type=hidden]') || getComputedStyle(element).pointerEvents === 'none') continue
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
    for (let at: Element | null = element; at; at = at.parentElement) scrolled.push([at, at.scrollTop])
    element.scrollIntoView({ block: 'center', behavior: 'instant' })
    const box = boxOf(element) ?? first
    const over = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)
    const isMeant = over?.closest('[role=menu], [role=listbox], [popover], [aria-live]')
    // Nothing is there where a text that is cut off would go on beyond the window.
    if (over && !isMeant && !isReached(element, box)) found.push(`${nameOf(element)} under ${nameOf(over)}`)
    for (const [at, top] of scrolled.splice(0)) at.scrollTop = top
  }
  return found

  function nameOf({ tagName, className, textContent }: Element): string {
    return [tagName, className, (textContent ?? '').slice(0, 40)].join(' ')
  }

  /** Of its first line: what only screen readers meet is a pixel wide. */
  function boxOf(element: Element): DOMRect | undefined {
    return [...element.getClientRects()].find(({ width, height }) => width > 1 && height > 1)
  }

  function isReached(element: Element, { left, top, width, height }: DOMRect): boolean {
    const hit = document.elementFromPoint(left + width / 2, top + height / 2)
    if (!hit) return false
    return element.contains(hit) || hit.contains(element) || hit.closest('label')?.control === element
  }
}

/** Names what sticks out. Runs in the page. */
function stickingOut(): string[] {
  const name = (element: Element) =>
    [
      element.tagName,
      element.getAttribute('type'),
      element.getAttribute('name'),
      element.className,
      (element.textContent ?? '').slice(0, 40),
    ].join(' ')
  const root = document.documentElement
  const found = root.scrollWidth > root.clientWidth ? [`the page is ${root.scrollWidth} wide`] : []
  /** Whether it may be scrolled, or is cut off with a mark that says so. */
  const isMeant = (element: Element) => {
    for (let at: Element | null = element; at; at = at.parentElement) {
      const { overflowX, textOverflow } = getComputedStyle(at)
      if (overflowX === 'auto' || overflowX === 'scroll' || textOverflow === 'ellipsis') return true
    }
    return false
  }
  /** Whether its own text stands in a column of letters. */
  const isCrushed = (element: Element, width: number, height: number) =>
    width < 40 &&
    height > 120 &&
    [...element.childNodes].some(({ nodeType, nodeValue }) => nodeType === 3 && (nodeValue?.trim().length ?? 0) > 8)
  for (const element of document.body.querySelectorAll('*')) {
    if (element instanceof SVGElement && element.tagName !== 'text') continue
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
    const { left, right, width, height } = element.getBoundingClientRect()
    if (element instanceof SVGElement) {
      const frame = element.ownerSVGElement?.getBoundingClientRect()
      if (frame && width > 0 && (right > frame.right + 1 || left < frame.left - 1)) found.push(`cut off: ${name(element)}`)
      continue
    }
    // What only screen readers meet is a pixel wide.
    if (width <= 1 || height <= 1) continue
    if ((right > root.clientWidth + 1 || left < -1) && !isMeant(element)) found.push(`beyond the edge: ${name(element)}`)
    // Words beyond their own button lie on what is beside it; where each letter has a line, there are no words.
    const isSpilling =
      element.matches('button, a') && element.textContent?.trim() && element.scrollWidth > element.clientWidth + 1
    if (isSpilling && element.clientWidth > 0 && !isMeant(element)) found.push(`spills over: ${name(element)}`)
    if (isCrushed(element, width, height)) found.push(`crushed: ${name(element)}`)
    // What is typed is as long as it is.
    if (element.scrollWidth <= element.clientWidth + 1 || element.matches('input:not([type=datetime-local]), textarea')) continue
    const { overflowX, textOverflow } = getComputedStyle(element)
    if ((overflowX === 'hidden' || overflowX === 'clip') && textOverflow !== 'ellipsis') found.push(`cut off: ${name(element)}`)
    // A table or a listing may be scrolled sideways, but not what it stands in.
    const isFrame = element.matches('main, section, form, dialog, [role=dialog]') && !element.querySelector(':scope > pre')
    if (overflowX === 'auto' && isFrame) found.push(`scrolls: ${name(element)}`)
  }
  return found
}
