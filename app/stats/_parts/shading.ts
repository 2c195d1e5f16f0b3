/**
 * Steps in which counts are shaded, in per cent of the accent: each can be told from the next in light and in dark (1.3:1 at
 * least), and text on it keeps its contrast.
 */
const STEPS = [22, 39, 55, 84, 100] as const
/** From here on text takes the colour that stands on the accent. */
const FIRST_DARK = 4

/** How busy, from 1 to 5; 0 for none. By the square root, so that the many small counts are told apart beside a few big ones. */
export function stepOf(value: number, highest: number): number {
  if (value <= 0 || highest <= 0) return 0
  return Math.min(STEPS.length, Math.max(1, Math.ceil(Math.sqrt(value / highest) * STEPS.length)))
}

/** The colour of a step; undefined for 0. */
export function shade(step: number): string | undefined {
  const percent = STEPS[step - 1]
  return percent && `color-mix(in oklab, var(--accent) ${percent}%, var(--surface))`
}

export const textOn = (step: number) => (step >= FIRST_DARK ? 'var(--accent-fg)' : undefined)

export const ALL_STEPS = STEPS.map((_, index) => index + 1)
