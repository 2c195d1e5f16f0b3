import { Button, LinkButton } from '@/app/_ui/base/button'
import type { Failure } from '@/lib/forms/failure'

const TITLES: Record<Failure['kind'], string> = {
  network: 'The server cannot be reached',
  limited: 'One moment',
  unavailable: 'The statistics cannot be read at the moment',
  refused: 'This link is closed to you',
  gone: 'There is no such link any more',
  invalid: 'This view does not exist',
  cancelled: 'Nothing was changed',
  other: 'The statistics could not be shown',
}

/** In place of all numbers: what went wrong, and the way on. */
export function StatsFailure({ failure, onAgain }: { failure: Failure; onAgain: () => void }) {
  return (
    <div
      role="alert"
      className="mx-auto mt-10 max-w-lg rounded-card border border-line bg-surface px-5 py-10 text-center sm:px-8"
    >
      <h2 className="text-lg font-semibold">{TITLES[failure.kind]}</h2>
      <p className="mt-2 text-sm text-muted text-anywhere text-pretty">{failure.message}</p>
      <div className="mt-6 flex flex-wrap justify-center gap-3">
        {failure.kind !== 'gone' && (
          <Button look="primary" onClick={onAgain}>
            {failure.kind === 'invalid' ? 'Show the last 30 days' : 'Try again'}
          </Button>
        )}
        <LinkButton href="/" look={failure.kind === 'gone' ? 'primary' : 'secondary'}>
          Your links
        </LinkButton>
      </div>
    </div>
  )
}
