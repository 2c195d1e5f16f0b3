import type { FormState } from '@/app/_ui/data/use-form'
import type { Typed } from '@/app/_ui/data/use-typed'
import type { LinkTexts } from '@/lib/forms/link'
import { isFixed } from '@/lib/links/fixed'
import type { LinkView } from '@/lib/links/schemas'
import { FilingFields } from './filing-fields'
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
