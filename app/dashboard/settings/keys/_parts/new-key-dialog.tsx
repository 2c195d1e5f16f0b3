import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Dialog } from '@/app/_ui/base/dialog'
import { DialogForm } from '@/app/_ui/base/dialog-form'
import { TextField } from '@/app/_ui/base/field'
import { Saved, Secret } from '@/app/_ui/base/secret'
import { Select } from '@/app/_ui/base/select'
import { createKey } from '@/app/_ui/data/account'
import { useForm } from '@/app/_ui/data/use-form'
import type { ApiKeyView } from '@/lib/accounts/schemas'
import { KEY_SCOPES } from '@/lib/accounts/values'
import { textOf } from '@/lib/forms/fields'

type Scope = (typeof KEY_SCOPES)[number]

const NEVER = 'never'
/** In days. */
const LIVES = ['30', '90', '365', NEVER] as const
type Life = (typeof LIVES)[number]

interface Props {
  baseUrl: string
  onCreated: () => void
  onClose: () => void
}

export function NewKeyDialog({ baseUrl, onCreated, onClose }: Props) {
  const t = useTranslations('settings.keys')
  const [made, setMade] = useState<ApiKeyView | null>(null)
  const created = (key: ApiKeyView) => {
    setMade(key)
    onCreated()
  }
  // The same dialog for both: one that closed would take the cursor back to the page.
  return (
    <Dialog
      title={made ? t('created.title') : t('create.title')}
      description={made ? t('created.text') : undefined}
      onClose={made ? null : onClose}
    >
      {made?.key ? (
        <MadeKey apiKey={made.key} scope={made.scope} baseUrl={baseUrl} onClose={onClose} />
      ) : (
        <KeyForm onCreated={created} onClose={onClose} />
      )}
    </Dialog>
  )
}

function KeyForm({ onCreated, onClose }: { onCreated: (key: ApiKeyView) => void; onClose: () => void }) {
  const t = useTranslations('settings.keys')
  const [scope, setScope] = useState<Scope>('read')
  const [life, setLife] = useState<Life>('90')
  const form = useForm(async (data) => {
    const expiresInDays = life === NEVER ? null : Number(life)
    const result = await createKey({ name: textOf(data, 'name'), scope, expiresInDays })
    if (!result.ok) return result.failure
    onCreated(result.value)
    return null
  })
  const lifeName = (value: Life) => {
    if (value === NEVER) return t('create.never')
    return value === '365' ? t('create.afterYears', { count: 1 }) : t('create.afterDays', { count: Number(value) })
  }
  const scopes = KEY_SCOPES.map((value) => ({ value, label: t(`access.${value}`) }))
  const lives = LIVES.map((value) => ({ value, label: lifeName(value) }))
  return (
    <DialogForm label={t('create.title')} form={form} action={t('create.submit')} onClose={onClose}>
      <TextField
        label={t('create.name')}
        {...form.field('name')}
        maxLength={100}
        autoComplete="off"
        placeholder={t('create.placeholder')}
      />
      <Select label={t('create.access')} labelShown value={scope} options={scopes} onChange={setScope} />
      <Select label={t('create.expires')} labelShown value={life} options={lives} onChange={setLife} />
    </DialogForm>
  )
}

interface MadeKeyProps {
  apiKey: string
  scope: Scope
  baseUrl: string
  onClose: () => void
}

/** The key, this once, and how it is used. */
function MadeKey({ apiKey, scope, baseUrl, onClose }: MadeKeyProps) {
  const t = useTranslations('settings.keys')
  return (
    <>
      <Secret text={apiKey} name={t('created.copy')} />
      <p className="mt-5 mb-1.5 text-sm font-medium">{t('created.try')}</p>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
        className="overflow-x-auto rounded-control border border-line bg-bg p-3 font-mono text-[13px]"
      >
        {curlOf(apiKey, scope, baseUrl)}
      </pre>
      <Saved onClose={onClose} />
    </>
  )
}

function curlOf(key: string, scope: Scope, baseUrl: string): string {
  const call = `curl '${baseUrl}/api/v1/links' \\\n  -H 'Authorization: Bearer ${key}'`
  const body = ` \\\n  -H 'Content-Type: application/json' \\\n  -d '{"url": "https://example.com/"}'`
  return scope === 'write' ? call + body : call
}
