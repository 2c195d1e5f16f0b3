'use client'

import { useEffect } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { FailureMessage } from '@/app/_ui/base/failure'
import { TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { StickyActions } from '@/app/_ui/base/sticky-actions'
import { toast } from '@/app/_ui/base/toast'
import { rehearseRouting, updateLink } from '@/app/_ui/data/api'
import { copyText } from '@/app/_ui/data/browser'
import { dropDraft, useDraft } from '@/app/_ui/data/drafts'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { fromLocalInput, toLocalInput } from '@/app/_ui/data/time'
import { useForm } from '@/app/_ui/data/use-form'
import { useTyped } from '@/app/_ui/data/use-typed'
import { readLinkChanges } from '@/lib/forms/link'
import { textsOf } from '@/lib/forms/link-texts'
import { isFixed } from '@/lib/links/fixed'
import type { LinkView } from '@/lib/links/schemas'
import { destinationInput } from './destination-input'
import { DraftNotice } from './draft-notice'
import { HealthLine } from './health-line'
import { HistoryField } from './history/history-field'
import { LinkChips } from './link-chips'
import { LinkFields } from './link-fields'
import { LinkQr } from './link-qr'

interface Props {
  view: LinkView
  /** The link's manage token; null where the session of its owner opens it. */
  token: string | null
  onSaved: (view: LinkView) => void
  onClose: () => void
  /** Closes it, and throws away what was typed. */
  onDiscard: () => void
}

/** The draft of an edit that was not saved. */
export const editDraft = ({ domain, code }: Pick<LinkView, 'domain' | 'code'>): string => `edit ${domain}/${code}`

export function EditForm({ view, token, onSaved, onClose, onDiscard }: Props) {
  const t = useTranslations('links')
  const base = useTranslations('base')
  const texts = textsOf(view, toLocalInput)
  const draft = editDraft(view)
  const form = useForm(async (data) => {
    const changes = readLinkChanges(data, texts, fromLocalInput)
    if (Object.keys(changes).length === 0) {
      dropDraft(draft)
      onClose()
      return null
    }
    const result = await updateLink({ code: view.code, domain: view.domain, manageToken: token }, changes)
    if (!result.ok) return result.failure
    dropDraft(draft)
    const over = result.value.state === 'expired' ? { description: t('edit.savedExpired') } : {}
    toast(t('edit.saved', { link: readableUrl(view.shortUrl) }), over)
    onSaved(result.value)
    return null
  })
  const { ref, failure, pending } = form
  const typed = useTyped(ref)
  const { restored, changed } = useDraft(ref, draft)
  useEffect(() => ref.current?.querySelector<HTMLElement>('input:enabled:not([readonly])')?.focus({ preventScroll: true }), [ref])
  return (
    <Form name={null} ref={ref} onSubmit={form.onSubmit} aria-label={t('edit.form')} className="space-y-5">
      {restored && <DraftNotice />}
      <HealthLine view={view} />
      {view.shared && <p className="text-sm text-muted">{t('edit.shared')}</p>}
      <TextField label={t('field.url')} {...form.field('url', texts.url)} {...destinationInput} readOnly={isFixed(view, 'url')} />
      <LinkFields
        rehearse={(routing) => rehearseRouting({ code: view.code, domain: view.domain, manageToken: token }, routing)}
        form={form}
        typed={typed}
        texts={texts}
        owned={token === null}
        view={view}
      >
        <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-3 sm:grid-rows-[auto_1fr]">
          <div className="sm:row-span-2">
            <LinkQr url={view.shortUrl} />
          </div>
          <div>
            <p className="mb-1 text-sm font-medium">{t('result.copy')}</p>
            <p className="text-[15px] text-anywhere">{readableUrl(view.shortUrl)}</p>
          </div>
          <LinkChips formRef={ref} typed={typed} view={view} className="col-span-2 sm:col-span-1 sm:content-start" />
        </div>
      </LinkFields>
      <HistoryField view={view} token={token} typed={typed} texts={texts} />
      {failure && <FailureMessage>{failure}</FailureMessage>}
      <StickyActions>
        {token !== null && <CopyToken token={token} />}
        <div className="ml-auto flex gap-3">
          {changed ? (
            <Button onClick={onDiscard}>{t('draft.discard')}</Button>
          ) : (
            <Button onClick={onClose}>{base('action.cancel')}</Button>
          )}
          <Button look="primary" type="submit" busy={pending}>
            {t(pending ? 'edit.saving' : 'edit.save')}
          </Button>
        </div>
      </StickyActions>
    </Form>
  )
}

function CopyToken({ token }: { token: string }) {
  const t = useTranslations('links')
  const copy = async () => {
    const copied = await copyText(token)
    toast(t(copied ? 'token.copied' : 'token.refused'), { ...(copied && { description: t('token.copiedHint') }) })
  }
  return (
    <Button look="quiet" size="small" className="-ml-3" onClick={copy}>
      {t('token.copy')}
    </Button>
  )
}
