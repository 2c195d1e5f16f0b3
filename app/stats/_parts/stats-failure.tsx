import { useTranslations } from '#i18n'
import { Button, LinkButton } from '@/app/_ui/base/button'
import type { Failure } from '@/lib/forms/failure'

interface Props {
  failure: Failure
  onAgain: () => void
  /** Said where there is nothing by that name. */
  gone?: { title: string; text: string }
}

/** In place of all numbers: what went wrong, and the way on. */
export function StatsFailure({ failure, onAgain, gone }: Props) {
  const t = useTranslations('stats')
  const base = useTranslations('base')
  const absent = failure.kind === 'gone' ? gone : undefined
  return (
    <div
      role="alert"
      className="mx-auto mt-10 max-w-lg rounded-card border border-line bg-surface px-5 py-10 text-center sm:px-8"
    >
      <h2 className="text-lg font-semibold">{absent ? absent.title : t(`failure.${failure.kind}`)}</h2>
      <p className="mt-2 text-sm text-muted text-anywhere text-pretty">{absent ? absent.text : failure.message}</p>
      <div className="mt-6 flex flex-wrap justify-center gap-3">
        {failure.kind !== 'gone' && (
          <Button look="primary" onClick={onAgain}>
            {failure.kind === 'invalid' ? t('range.showDefault') : base('failure.again')}
          </Button>
        )}
        <LinkButton href="/" look={failure.kind === 'gone' ? 'primary' : 'secondary'}>
          {t('page.back')}
        </LinkButton>
      </div>
    </div>
  )
}
