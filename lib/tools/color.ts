/** Colours as `#rrggbb`. Contrast is WCAG 2.2's: 1 to 21. */

const WHITE = '#ffffff'
const BLACK = '#000000'

const channels = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))

/** Relative luminance: 0 is black, 1 is white. */
export function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color)
    .map((channel) => channel / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/** @param share how much of `other` there is in it, 0 to 1 */
export function mix(color: string, other: string, share: number): string {
  const others = channels(other)
  const mixed = channels(color).map((channel, i) => Math.round(channel + ((others[i] ?? 0) - channel) * share))
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

/** `color`, moved towards `pole` only as far as it takes to stand out from each of the grounds. */
export function standOut(color: string, grounds: readonly string[], least: number, pole: string): string {
  for (let share = 0; share < 1; share += 0.02) {
    const moved = mix(color, pole, share)
    if (grounds.every((ground) => contrast(moved, ground) >= least)) return moved
  }
  return pole
}

/** Black or white, whichever reads better on `color`. One of them always holds 4.5:1. */
export const textOn = (color: string) => (contrast(color, WHITE) >= contrast(color, BLACK) ? WHITE : BLACK)
