/**
 * How dark a count is shown. By its square root, so that the many small ones are told apart beside a few big
 * ones; at most half accent, on which text keeps its contrast.
 * @returns a CSS colour; undefined for none
 */
export function shade(value: number, highest: number, darkest = 50): string | undefined {
  if (value <= 0 || highest <= 0) return undefined
  const percent = 8 + (darkest - 8) * Math.sqrt(value / highest)
  return `color-mix(in oklab, var(--accent) ${percent.toFixed(1)}%, var(--surface))`
}
