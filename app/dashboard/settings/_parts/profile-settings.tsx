'use client'

import { ExternalLink } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { toast } from 'sonner'
import { HandleCard } from '@/app/_ui/account/handle-card'
import { Button } from '@/app/_ui/base/button'
import { Card } from '@/app/_ui/base/card'
import { CopyIconButton } from '@/app/_ui/base/copy-button'
import { FailureMessage } from '@/app/_ui/base/failure'
import { TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { ShortLink } from '@/app/_ui/base/short-link'
import { SwitchField } from '@/app/_ui/base/switch-field'
import { updateAccount } from '@/app/_ui/data/account'
import { readableUrl } from '@/app/_ui/data/readable-url'
import { useForm } from '@/app/_ui/data/use-form'
import { write } from '@/app/_ui/data/words'
import type { AccountView } from '@/lib/accounts/schemas'
import { readName } from '@/lib/forms/read'
import { type SentForm, sentOf } from '@/lib/forms/sent'

export function ProfileSettings({ account, sent }: { account: AccountView; sent: SentForm | null }) {
  return (
    <div className="space-y-4">
      <HandleCard handle={account.handle} />
      <NameCard name={account.name} sent={sentOf(sent, 'name')} />
      <PublicPageCard account={account} />
    </div>
  )
}

function NameCard({ name, sent }: { name: string; sent: SentForm | null }) {
  const router = useRouter()
  const form = useForm(async (data) => {
    const read = readName(data, write)
    if (!read.ok) return read.failure
    const result = await updateAccount(read.value)
    if (!result.ok) return result.failure
    toast('Name saved')
    // It stands in the header too.
    router.refresh()
    return null
  }, sent)
  return (
    <Card title="Name">
      <Form name="name" ref={form.ref} onSubmit={form.onSubmit} aria-label="Name" className="space-y-4">
        {form.failure && <FailureMessage>{form.failure}</FailureMessage>}
        <TextField
          label="Name"
          labelHidden
          {...form.field('name', name)}
          autoComplete="name"
          maxLength={100}
          hint="Shown on your public page, and to admins."
        />
        <Button type="submit" busy={form.pending}>
          Save the name
        </Button>
      </Form>
    </Card>
  )
}

function PublicPageCard({ account: { publicProfile, profileUrl } }: { account: AccountView }) {
  const [on, setOn] = useState(publicProfile)
  const change = async (wanted: boolean) => {
    setOn(wanted)
    const result = await updateAccount({ publicProfile: wanted })
    if (result.ok) return void toast(wanted ? 'Your public page is on' : 'Your public page is off')
    setOn(!wanted)
    toast('Your public page was not changed', { description: result.failure.message })
  }
  const address = readableUrl(profileUrl)
  return (
    <Card title="Public page">
      <SwitchField
        label="Show a page with my links"
        hint="Anyone can see your name, your handle and the links that you show there; each link says in its own settings whether it is."
        on={on}
        onChange={(wanted) => void change(wanted)}
      />
      <div className="mt-4 flex items-center gap-2 border-t border-line pt-3">
        {on ? (
          <ShortLink href={profileUrl} className="inline-flex min-w-0 flex-1 items-center gap-2 font-medium">
            {address}
            <ExternalLink aria-hidden="true" className="size-4 shrink-0" />
          </ShortLink>
        ) : (
          <p className="min-w-0 flex-1 text-sm text-muted text-anywhere">Its address would be {address}</p>
        )}
        <CopyIconButton text={profileUrl} name="the address of your public page" />
      </div>
    </Card>
  )
}
