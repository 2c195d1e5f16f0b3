'use client'

import { ExternalLink } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useTranslations } from '#i18n'
import { HandleCard } from '@/app/_ui/account/handle-card'
import { Button } from '@/app/_ui/base/button'
import { Card } from '@/app/_ui/base/card'
import { CopyIconButton } from '@/app/_ui/base/copy-button'
import { FailureMessage } from '@/app/_ui/base/failure'
import { TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { ShortLink } from '@/app/_ui/base/short-link'
import { SwitchField } from '@/app/_ui/base/switch-field'
import { toast } from '@/app/_ui/base/toast'
import { updateAccount } from '@/app/_ui/data/account'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { useForm } from '@/app/_ui/data/use-form'
import { fillIn } from '@/app/_ui/data/use-typed'
import { write } from '@/app/_ui/data/words'
import type { AccountView } from '@/lib/accounts/schemas'
import { textOf } from '@/lib/forms/fields'
import { readName } from '@/lib/forms/read'
import { type SentForm, sentOf } from '@/lib/forms/sent'
import { HealthCard } from './health-card'

export function ProfileSettings({ account, sent }: { account: AccountView; sent: SentForm | null }) {
  const publicPage = usePublicPage(account.publicProfile)
  return (
    <div className="space-y-4">
      <HandleCard handle={account.handle} />
      <NameCard name={account.name} sent={sentOf(sent, 'name')} />
      <UsernameCard account={account} publicPage={publicPage} sent={sentOf(sent, 'username')} />
      <PublicPageCard account={account} publicPage={publicPage} />
      <HealthCard />
    </div>
  )
}

function NameCard({ name, sent }: { name: string; sent: SentForm | null }) {
  const t = useTranslations('settings')
  const router = useRouter()
  const form = useForm(async (data) => {
    const read = readName(data, write)
    if (!read.ok) return read.failure
    const result = await updateAccount(read.value)
    if (!result.ok) return result.failure
    toast(t('name.saved'))
    // It stands in the header too.
    router.refresh()
    return null
  }, sent)
  return (
    <Card title={t('name.title')}>
      <Form name="name" ref={form.ref} onSubmit={form.onSubmit} aria-label={t('name.title')} className="space-y-4">
        {form.failure && <FailureMessage>{form.failure}</FailureMessage>}
        <TextField
          label={t('name.title')}
          labelHidden
          {...form.field('name', name)}
          autoComplete="name"
          maxLength={100}
          hint={t('name.hint')}
        />
        <Button type="submit" busy={form.pending}>
          {t('name.save')}
        </Button>
      </Form>
    </Card>
  )
}

interface PublicPage {
  on: boolean
  turn: (on: boolean) => Promise<void>
}

/** Whether the account's public page is there, and its switch. */
function usePublicPage(initially: boolean): PublicPage {
  const t = useTranslations('settings')
  const [on, setOn] = useState(initially)
  const turn = async (wanted: boolean) => {
    setOn(wanted)
    const result = await updateAccount({ publicProfile: wanted })
    if (result.ok) return void toast(wanted ? t('publicPage.on') : t('publicPage.off'))
    setOn(!wanted)
    toast(t('publicPage.failed'), { description: result.failure.message })
  }
  return { on, turn }
}

interface PageProps {
  account: AccountView
  publicPage: PublicPage
}

function UsernameCard({ account: { username }, publicPage, sent }: PageProps & { sent: SentForm | null }) {
  const t = useTranslations('settings')
  const router = useRouter()
  const form = useForm(async (data) => {
    const typed = textOf(data, 'username').trim().replace(/^@/, '')
    const result = await updateAccount({ username: typed || null })
    if (!result.ok) return result.failure
    const { username: name, publicProfile } = result.value
    // As it was saved: without what was typed around it, and in small letters.
    if (form.ref.current) fillIn(form.ref.current, [['username', name ?? '']])
    if (name === null) toast(t('username.none'))
    else if (publicProfile) toast(t('username.saved', { name }))
    else
      toast(t('username.savedOff', { name }), {
        action: { label: t('publicPage.turnOn'), onClick: () => void publicPage.turn(true) },
      })
    // The address of the public page has changed.
    router.refresh()
    return null
  }, sent)
  return (
    <Card title={t('username.title')}>
      <Form name="username" ref={form.ref} onSubmit={form.onSubmit} aria-label={t('username.title')} className="space-y-4">
        {form.failure && <FailureMessage>{form.failure}</FailureMessage>}
        <TextField
          label={t('username.title')}
          labelHidden
          {...form.field('username', username ?? '')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={31}
          placeholder="@mia"
          hint={t('username.hint')}
        />
        <Button type="submit" busy={form.pending}>
          {t('username.save')}
        </Button>
      </Form>
    </Card>
  )
}

function PublicPageCard({ account: { profileUrl }, publicPage: { on, turn } }: PageProps) {
  const t = useTranslations('settings')
  const address = readableUrl(profileUrl)
  return (
    <Card title={t('publicPage.title')}>
      <SwitchField label={t('publicPage.show')} hint={t('publicPage.hint')} on={on} onChange={(wanted) => void turn(wanted)} />
      <div className="mt-4 flex items-center gap-2 border-t border-line pt-3">
        {on ? (
          <ShortLink href={profileUrl} className="inline-flex min-w-0 flex-1 items-center gap-2 font-medium">
            {address}
            <ExternalLink aria-hidden="true" className="size-4 shrink-0" />
          </ShortLink>
        ) : (
          <p className="min-w-0 flex-1 text-sm text-muted text-anywhere">{t('publicPage.address', { address })}</p>
        )}
        <CopyIconButton text={profileUrl} name={t('publicPage.copy')} />
      </div>
    </Card>
  )
}
