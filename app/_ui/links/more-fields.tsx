import type { ReactNode } from 'react'
import type { FormState } from '@/app/_ui/data/use-form'
import type { Typed } from '@/app/_ui/data/use-typed'
import type { LinkTexts } from '@/lib/forms/link'
import { isFixed } from '@/lib/links/fixed'
import type { LinkView } from '@/lib/links/schemas'
import { FilingFields } from './filing-fields'
import { FoldedEnds } from './folded-ends'
import { PreviewField } from './preview/preview-field'
import type { Rehearse } from './routing/rehearsal'
import { RoutingField } from './routing/routing-field'
import { UtmField } from './utm/utm-field'

interface Props {
  form: FormState
  typed: Typed
  texts: LinkTexts
  owned: boolean
  view: LinkView | null
}

/** What the page on which strangers shorten links does without. */
export function MoreFields({ form, typed, texts, owned, view }: Props) {
  return (
    <>
      {!(view && isFixed(view, 'url')) && <UtmField form={form} typed={typed} url={texts.url} owned={owned} />}
      {owned && <FilingFields form={form} typed={typed} texts={texts} />}
    </>
  )
}

interface OwnedProps extends Props {
  rehearse?: Rehearse | undefined
  /** The fields of start and end, which this folds away. */
  children: ReactNode
}

/** What few links need, each thing one step away. Strangers have the first as plain fields, and not the others. */
export function OwnedFields({ form, typed, texts, owned, view, rehearse, children }: OwnedProps) {
  return (
    <>
      <FoldedEnds form={form} typed={typed} texts={texts}>
        {children}
      </FoldedEnds>
      <RoutingField form={form} typed={typed} text={texts.routing} rehearse={rehearse} />
      {owned && <PreviewField form={form} typed={typed} text={texts.preview} view={view} />}
    </>
  )
}
