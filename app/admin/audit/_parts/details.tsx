import { ChevronRight } from 'lucide-react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { unbanUsername } from '@/app/_ui/data/admin'
import { LongText } from '@/app/admin/_parts/long-text'
import { useAct } from '@/app/admin/_parts/use-act'
import type { AuditView } from '@/lib/audit/schemas'

/** What the log may have besides, in the order in which it is shown. What is not known by name comes last, as the log has it. */
const NAMES = [
  ...([
    'account',
    'target',
    'reason',
    'answer',
    'references',
    'job',
    'action',
    'sent',
    'email',
    'username',
    'role',
    'until',
  ] as const),
  ...([
    'days',
    'links',
    'isDefault',
    'rootUrl',
    'notFoundUrl',
    'qrCodes',
    'codeCase',
    'upstream',
    'spokenCodes',
    'appleAppSiteAssociation',
    'assetLinks',
    'letters',
    'ids',
    'matching',
    'joined',
    'winner',
    'outcomes',
  ] as const),
]

/** What belongs to an action, by name; folded away, since most of it is only asked for now and then. */
export function Details({ entry: { action, actor, target, details } }: { entry: AuditView }) {
  const t = useTranslations('admin.audit')
  const all: Record<string, unknown> = { account: actor, target, ...details }
  const known = NAMES.map((name) => ({ name, title: t(`detail.${name}`), value: all[name] }))
  const rest = Object.entries(all).filter(([name]) => !(NAMES as readonly string[]).includes(name))
  const facts = [...known, ...rest.map(([name, value]) => ({ name, title: name, value }))]
  return (
    <details className="group/details mt-1 text-[13px]">
      <summary className="inline-flex min-h-6 cursor-pointer items-center gap-1 text-muted hover:text-fg">
        <ChevronRight aria-hidden="true" className="size-3.5 transition-transform group-open/details:rotate-90" />
        {t('details')}
      </summary>
      <dl className="mt-1 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 rounded-control bg-bg px-3 py-2">
        {facts
          .filter(({ value }) => value !== undefined && value !== '' && value !== null)
          .map(({ name, title, value }) => (
            <div key={name} className="contents">
              <dt className="text-muted">{title}</dt>
              <dd className="min-w-0">
                <LongText>{textOf(value)}</LongText>
              </dd>
            </div>
          ))}
      </dl>
      {action === 'username.ban' && <UnbanUsername username={textOf(details.username)} />}
    </details>
  )
}

/** The way back from what no list shows: banned usernames are kept as hashes. */
function UnbanUsername({ username }: { username: string }) {
  const t = useTranslations('admin.audit.unbanUsername')
  const { act } = useAct()
  const unban = () => act(unbanUsername(username), { done: t('done', { username }), failed: t('failed', { username }) })
  return (
    <Button size="small" onClick={unban} className="mt-2">
      {t('action', { username })}
    </Button>
  )
}

function textOf(value: unknown): string {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}
