import { CopyIconButton } from '@/app/_ui/base/copy-button'

/** The account's number, large enough to be read over a shoulder. */
export function HandleCard({ handle }: { handle: string }) {
  return (
    <section
      aria-label="Your handle"
      className="flex items-center justify-between gap-4 rounded-card border border-line bg-surface p-5"
    >
      <div>
        <p className="text-sm text-muted">Your handle</p>
        <p className="mt-0.5 font-mono text-3xl font-semibold tracking-wide tabular-nums">{handle}</p>
        <p className="mt-1 text-[13px] text-muted">You can sign in with it, in place of your e-mail address.</p>
      </div>
      <CopyIconButton text={handle} name="your handle" />
    </section>
  )
}
