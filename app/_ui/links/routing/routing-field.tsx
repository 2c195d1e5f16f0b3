'use client'

import { useTranslations } from '#i18n'
import type { FormState } from '@/app/_ui/data/use-form'
import type { Typed } from '@/app/_ui/data/use-typed'
import { routingIn, routingText } from '@/lib/forms/routing'
import { FoldedEditor } from '../folded-editor'
import type { Rehearse } from './rehearsal'
import { useRoutingSummary } from './use-routing-summary'

interface Props {
  form: FormState
  typed: Typed
  /** What the field says before anything is changed. */
  text: string
  rehearse: Rehearse | undefined
}

/** Where a link leads by who follows it. */
export function RoutingField({ form, typed, text, rehearse }: Props) {
  const t = useTranslations('links.routing')
  const summaryOf = useRoutingSummary()
  const routing = routingIn(typed.get('routing') ?? text) ?? {}
  return (
    <FoldedEditor
      name="routing"
      form={form}
      text={text}
      label={t('label')}
      summary={summaryOf(routing) || t('none')}
      wrong={t('wrong')}
      action={(isOpen) => t(isOpen ? 'close' : 'edit')}
      load={() => import('./routing-editor').then(({ RoutingEditor }) => RoutingEditor)}
      own={{ routing, rehearse }}
      textOf={routingText}
    />
  )
}
