'use client'

import type { RefObject } from 'react'
import { useTranslations } from '#i18n'
import { Chip } from '@/app/_ui/base/chip'
import { useFormat } from '@/app/_ui/data/format'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { fillIn, type Typed } from '@/app/_ui/data/use-typed'
import { type LinkField, NEW_LINK } from '@/lib/forms/link'
import { previewIn } from '@/lib/forms/preview'
import { routingIn } from '@/lib/forms/routing'
import { isFixed } from '@/lib/links/fixed'
import type { LinkView } from '@/lib/links/schemas'
import { parseUrl } from '@/lib/tools/url'
import { useRoutingSummary } from './routing/use-routing-summary'

interface Props {
  formRef: RefObject<HTMLFormElement | null>
  typed: Typed
  /** null for a new link. */
  view: LinkView | null
  className?: string
}

const SHOWN = [
  'code',
  'domain',
  'title',
  'tags',
  'folder',
  'comment',
  'expiresAt',
  'startsAt',
  'maxClicks',
  'password',
  'expiredUrl',
  'routing',
  'preview',
  'redirectStatus',
  'enabled',
  'listed',
] as const satisfies readonly LinkField[]

/** What is set of a link, each with a way to clear it. What is not in the form, or fixed there, is not shown. */
export function LinkChips({ formRef, typed, view, className = '' }: Props) {
  const t = useTranslations('links')
  const format = useFormat()
  const summaryOf = useRoutingSummary()
  const keepsPassword = view?.hasPassword === true && typed.get('passwordStep') === 'keep'
  const isSet = (name: LinkField) =>
    (name === 'password' && keepsPassword) || (typed.get(name)?.trim() ?? NEW_LINK[name]) !== NEW_LINK[name]
  const set = SHOWN.filter((name) => isSet(name) && !(view && name !== 'code' && name !== 'domain' && isFixed(view, name)))
  if (set.length === 0) return null

  const textOf = (name: LinkField): string => {
    const text = typed.get(name)?.trim() ?? ''
    switch (name) {
      case 'password':
      case 'enabled':
      case 'listed':
        return ''
      case 'expiresAt':
      case 'startsAt':
        return Number.isNaN(Date.parse(text)) ? text : format.time(text)
      case 'domain':
        return readableUrl(`https://${text}`)
      case 'expiredUrl':
        return parseUrl(text) ? readableUrl(text) : text
      case 'routing':
        return summaryOf(routingIn(text) ?? {})
      case 'preview': {
        const setting = previewIn(text)
        return setting?.source === 'custom' ? setting.title : t('preview.destination')
      }
      default:
        return text
    }
  }
  const labelOf = (name: (typeof SHOWN)[number]) => {
    if (name === 'enabled') return t('badge.disabled')
    if (name === 'listed') return t('badge.listed')
    if (name === 'routing' || name === 'preview') return t(`${name}.label`)
    return t(name === 'password' ? 'password.label' : `field.${name}`)
  }
  const clear = (name: LinkField, chip: HTMLElement) => {
    const form = formRef.current
    if (!form) return
    // The cursor goes on to the next one, or to what follows them.
    const next = chip.nextElementSibling ?? chip.previousElementSibling
    const after = next ?? form.querySelector(view ? '[name=title]' : 'summary')
    if (after instanceof HTMLElement) after.focus({ preventScroll: true })
    const texts: [string, string][] = [[name, NEW_LINK[name]]]
    if (name === 'password') texts.push(['passwordStep', 'remove'])
    fillIn(form, texts)
  }
  return (
    <div className={`flex flex-wrap gap-2 ${className}`}>
      {set.map((name) => (
        <Chip key={name} onRemove={(chip) => clear(name, chip)}>
          {t.rich('field.clear', {
            field: labelOf(name),
            value: textOf(name),
            hidden: (words) => <span className="sr-only">{words}</span>,
            strong: (words) => <span className="font-medium">{words}</span>,
          })}
        </Chip>
      ))}
    </div>
  )
}
