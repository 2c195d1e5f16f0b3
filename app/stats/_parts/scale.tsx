import { ALL_STEPS, shade } from './shading'

/** What the shades mean. */
export function Scale({ from, to }: { from: string; to: string }) {
  return (
    <span aria-hidden="true" className="flex items-center gap-1.5 text-[13px] text-muted">
      {from}
      <span className="flex gap-px">
        {ALL_STEPS.map((step) => (
          <span key={step} className="h-2.5 w-4 first:rounded-l-full last:rounded-r-full" style={{ background: shade(step) }} />
        ))}
      </span>
      {to}
    </span>
  )
}
