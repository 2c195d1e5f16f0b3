'use client'

import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { FailureMessage } from '@/app/_ui/base/failure'
import type { send } from '@/app/_ui/data/http'
import { readableUrl } from '@/app/_ui/data/readable-url'
import type { RoutingFields } from '@/lib/routing/routing'
import type { Rehearsal as Outcome } from '@/lib/stats/schemas'

/** Asks where the latest clicks would have gone. */
export type Rehearse = (routing: RoutingFields) => ReturnType<typeof send<Outcome>>

interface Props {
  routing: RoutingFields
  rehearse: Rehearse
}

/** Tries rules before they are saved. What was found goes once they are changed. */
export function Rehearsal({ routing, rehearse }: Props) {
  const t = useTranslations('links.routing.rehearsal')
  const [pending, setPending] = useState(false)
  const [found, setFound] = useState<{ of: string; outcome: Outcome | null; failure: string | null } | null>(null)
  const of = JSON.stringify(routing)
  const shown = found?.of === of ? found : null
  const run = async () => {
    setPending(true)
    const result = await rehearse(routing)
    setPending(false)
    setFound(result.ok ? { of, outcome: result.value, failure: null } : { of, outcome: null, failure: result.failure.message })
  }
  return (
    <div>
      <Button size="small" busy={pending} onClick={run}>
        {t('button')}
      </Button>
      <div role="status" className="mt-2 text-sm">
        {shown?.outcome ? <Table outcome={shown.outcome} /> : <p className="text-[13px] text-muted">{t('hint')}</p>}
      </div>
      {shown?.failure && <FailureMessage>{shown.failure}</FailureMessage>}
    </div>
  )
}

function Table({ outcome: { clicks, rules, others, unknown } }: { outcome: Outcome }) {
  const t = useTranslations('links.routing.rehearsal')
  if (clicks === 0) return <p className="text-muted">{t('none')}</p>
  const rows = [
    ...rules.map(({ url, clicks: count }, i) => ({ name: t('rule', { number: i + 1 }), url, count })),
    ...others.map(({ url, clicks: count }) => ({ name: t('others'), url, count })),
    ...(unknown > 0 ? [{ name: t('unknown'), url: null, count: unknown }] : []),
  ]
  return (
    <table className="w-full">
      <caption className="sr-only">{t('title')}</caption>
      <tbody className="divide-y divide-line">
        {rows.map(({ name, url, count }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other name
          <tr key={i}>
            <th scope="row" className="py-1.5 pr-3 text-left align-top font-medium whitespace-nowrap">
              {name}
            </th>
            <td className="w-full py-1.5 pr-3 text-muted text-anywhere">{url === null ? t('unknownHint') : readableUrl(url)}</td>
            <td className="py-1.5 text-right align-top whitespace-nowrap tabular-nums">{t('clicks', { count })}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
