import { useId, useState } from 'react'
import { useTranslations } from '#i18n'
import { Button } from '@/app/_ui/base/button'
import { ConfirmDialog } from '@/app/_ui/base/confirm-dialog'
import { CopyIconButton } from '@/app/_ui/base/copy-button'
import { Dialog } from '@/app/_ui/base/dialog'
import { FieldError, TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { Saved, Secret } from '@/app/_ui/base/secret'
import { toast } from '@/app/_ui/base/toast'
import { useFormat } from '@/app/_ui/data/format'
import { useServerData } from '@/app/_ui/data/server-data'
import { createShare, getShares, isOf, revokeShare } from '@/app/_ui/data/shares'
import type { LinkAccess, ScopeAccess } from '@/app/_ui/data/stats'
import { fromLocalInput } from '@/app/_ui/data/time'
import { useForm } from '@/app/_ui/data/use-form'
import { textOf } from '@/lib/forms/fields'
import type { ShareView } from '@/lib/shares/schemas'
import { escapeHtml } from '@/lib/tools/html'

interface Props {
  access: LinkAccess | ScopeAccess
  onClose: () => void
}

/** Who can see these statistics by a link, and a way to create another. */
export function ShareDialog({ access, onClose }: Props) {
  const t = useTranslations('stats.share')
  const [created, setCreated] = useState<ShareView | null>(null)
  const shares = useServerData(['shares'], getShares)
  const own = shares.value?.filter((share) => isOf(share, access)) ?? []
  if (created) {
    return (
      <Dialog title={t('title')} description={t('created')} onClose={null}>
        <Created share={created} />
        <Saved
          onClose={() => {
            setCreated(null)
            shares.reload()
          }}
        />
      </Dialog>
    )
  }
  return (
    <Dialog title={t('title')} description={t('hint')} onClose={onClose}>
      <NewShareForm access={access} onCreated={setCreated} />
      <section className="mt-6 border-t border-line pt-4">
        <h3 className="text-sm font-medium">{t('list')}</h3>
        {shares.failure && (
          <p role="alert" className="mt-2 text-sm text-danger">
            {shares.failure.message}
          </p>
        )}
        {shares.value && own.length === 0 && <p className="mt-2 text-sm text-muted">{t('none')}</p>}
        <ul aria-label={t('list')} className="mt-1 divide-y divide-line">
          {own.map((share) => (
            <ShareRow key={share.id} share={share} onRevoked={shares.reload} />
          ))}
        </ul>
      </section>
    </Dialog>
  )
}

function NewShareForm({ access, onCreated }: { access: Props['access']; onCreated: (share: ShareView) => void }) {
  const t = useTranslations('stats.share')
  const form = useForm(async (data) => {
    const result = await createShare(access, {
      label: textOf(data, 'label'),
      password: textOf(data, 'password') || null,
      expiresAt: fromLocalInput(textOf(data, 'expiresAt')),
      embeddable: data.has('embeddable'),
    })
    if (!result.ok) return result.failure
    onCreated(result.value)
    return null
  })
  const embeddable = form.field('embeddable')
  const errorId = useId()
  return (
    <Form name={null} ref={form.ref} onSubmit={form.onSubmit} className="space-y-4">
      <TextField
        label={t('name')}
        hint={t('nameHint')}
        {...form.field('label')}
        maxLength={80}
        autoComplete="off"
        placeholder={t('namePlaceholder')}
      />
      <TextField
        label={t('password')}
        hint={t('passwordHint')}
        {...form.field('password')}
        type="password"
        maxLength={256}
        autoComplete="new-password"
      />
      <TextField label={t('expires')} hint={t('expiresHint')} {...form.field('expiresAt')} type="datetime-local" />
      <div>
        <label className="flex min-h-11 items-center gap-3 text-sm sm:min-h-0">
          <input
            type="checkbox"
            name="embeddable"
            onChange={embeddable.onChange}
            aria-invalid={embeddable.error ? true : undefined}
            aria-describedby={embeddable.error ? errorId : undefined}
            className="size-4 accent-accent"
          />
          {t('embeddable')}
        </label>
        {embeddable.error && <FieldError id={errorId}>{embeddable.error}</FieldError>}
      </div>
      <Button type="submit" look="primary" className="w-full sm:w-auto" busy={form.pending}>
        {t('submit')}
      </Button>
    </Form>
  )
}

/** What is told this once. */
function Created({ share: { url = '', badgeUrl, embedUrl, name } }: { share: ShareView }) {
  const t = useTranslations('stats.share')
  const codes = [
    badgeUrl && { label: t('badgeCode'), text: `<a href="${url}"><img src="${badgeUrl}" alt="${escapeHtml(name)}"></a>` },
    embedUrl && {
      label: t('embedCode'),
      text: `<iframe src="${embedUrl}" title="${escapeHtml(name)}" width="600" height="280" loading="lazy"></iframe>`,
    },
  ]
  return (
    <>
      <Secret text={url} name={t('link')} />
      {codes.map(
        (code) =>
          code && (
            <div key={code.label} className="mt-4">
              <h3 className="text-sm font-medium">{code.label}</h3>
              <div className="mt-1 flex items-start gap-2 rounded-control border border-line bg-bg p-3">
                <code className="min-w-0 flex-1 font-mono text-[13px] text-anywhere">{code.text}</code>
                <CopyIconButton text={code.text} name={code.label} />
              </div>
            </div>
          ),
      )}
    </>
  )
}

function ShareRow({ share, onRevoked }: { share: ShareView; onRevoked: () => void }) {
  const t = useTranslations('stats.share')
  const format = useFormat()
  const [isAsked, setAsked] = useState(false)
  const made = t('made', { time: format.time(share.createdAt) })
  const name = share.label || made
  const about = [
    share.label !== '' && made,
    share.seenAt === null ? t('unseen') : t('seen', { time: format.time(share.seenAt) }),
    share.expiresAt && t('until', { time: format.time(share.expiresAt) }),
    share.hasPassword && t('withPassword'),
    share.embeddable && t('withEmbed'),
  ]
  return (
    <li className="flex items-center justify-between gap-3 py-2.5">
      <div className="min-w-0 text-sm">
        <p className="text-anywhere">
          <bdi>{name}</bdi>
        </p>
        <p className="text-[13px] text-muted">{about.filter(Boolean).join(' · ')}</p>
      </div>
      <Button size="small" aria-label={t('revokeOne', { name })} onClick={() => setAsked(true)}>
        {t('revoke')}
      </Button>
      {isAsked && (
        <ConfirmDialog
          title={t('revokeTitle')}
          action={t('revoke')}
          danger
          onConfirm={async () => {
            const result = await revokeShare(share.id)
            if (!result.ok) return result.failure.message
            toast(t('revoked'))
            onRevoked()
            return null
          }}
          onClose={() => setAsked(false)}
        >
          <p className="font-medium text-fg">
            <bdi>{name}</bdi>
          </p>
          <p>{t('revokeText')}</p>
        </ConfirmDialog>
      )}
    </li>
  )
}
