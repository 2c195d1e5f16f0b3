import { useState } from 'react'
import { useTranslations } from '#i18n'
import { Checkbox } from '@/app/_ui/base/checkbox'
import { Dialog } from '@/app/_ui/base/dialog'
import { DialogForm } from '@/app/_ui/base/dialog-form'
import { TextField } from '@/app/_ui/base/field'
import { Saved, Secret } from '@/app/_ui/base/secret'
import { Select } from '@/app/_ui/base/select'
import { createKey } from '@/app/_ui/data/account'
import { useForm } from '@/app/_ui/data/use-form'
import type { ApiKeyView } from '@/lib/accounts/schemas'
import { KEY_SCOPES } from '@/lib/accounts/values'
import type { ForeignApi } from '@/lib/config'
import { textOf } from '@/lib/forms/fields'

type Scope = (typeof KEY_SCOPES)[number]

const NEVER = 'never'
/** In days. */
const LIVES = ['30', '90', '365', NEVER] as const
type Life = (typeof LIVES)[number]

interface Props {
  baseUrl: string
  /** The shorteners whose APIs are turned on. */
  foreign: readonly ForeignApi[]
  onCreated: () => void
  onClose: () => void
}

export function NewKeyDialog({ baseUrl, foreign, onCreated, onClose }: Props) {
  const t = useTranslations('settings.keys')
  const [made, setMade] = useState<ApiKeyView | null>(null)
  const created = (key: ApiKeyView) => {
    onCreated()
    // Of a key that was brought along, nothing is new to its owner.
    if ([key.key, key.signature, key.offline].every((secret) => secret === undefined)) onClose()
    else setMade(key)
  }
  // The same dialog for both: one that closed would take the cursor back to the page.
  return (
    <Dialog
      title={made ? t('created.title') : t('create.title')}
      description={made ? t('created.text') : undefined}
      onClose={made ? null : onClose}
    >
      {made ? (
        <MadeKey made={made} baseUrl={baseUrl} onClose={onClose} />
      ) : (
        <KeyForm foreign={foreign} onCreated={created} onClose={onClose} />
      )}
    </Dialog>
  )
}

interface FormProps {
  foreign: readonly ForeignApi[]
  onCreated: (key: ApiKeyView) => void
  onClose: () => void
}

function KeyForm({ foreign, onCreated, onClose }: FormProps) {
  const t = useTranslations('settings.keys')
  const [scope, setScope] = useState<Scope>('read')
  const [life, setLife] = useState<Life>('90')
  const [signature, setSignature] = useState(false)
  const [offline, setOffline] = useState(false)
  const form = useForm(async (data) => {
    const expiresInDays = life === NEVER ? null : Number(life)
    const hash = textOf(data, 'hash').trim()
    const also = { ...(hash && { hash }), ...(signature && { signature }), ...(offline && { offline }) }
    const result = await createKey({ name: textOf(data, 'name'), scope, expiresInDays, ...also })
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
      {foreign.some((api) => api !== 'yourls') && (
        <TextField
          label={t('create.hash')}
          hint={t('create.hashHint')}
          {...form.field('hash')}
          maxLength={64}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      {foreign.includes('yourls') && <Checkbox label={t('create.signature')} checked={signature} onChange={setSignature} />}
      <Checkbox label={t('create.offline')} checked={offline} onChange={setOffline} />
    </DialogForm>
  )
}

interface MadeKeyProps {
  made: ApiKeyView
  baseUrl: string
  onClose: () => void
}

/** The key, its signature token and its offline key, this once, and how the key is used. */
function MadeKey({ made: { key, signature, offline, scope }, baseUrl, onClose }: MadeKeyProps) {
  const t = useTranslations('settings.keys')
  const isOne = signature === undefined && offline === undefined
  return (
    <>
      {signature !== undefined && (
        <NamedSecret title={t('created.signature')} text={signature} name={t('created.copySignature')} />
      )}
      {offline !== undefined && <NamedSecret title={t('created.offline')} text={offline} name={t('created.copyOffline')} />}
      {key !== undefined && (
        <>
          <NamedSecret title={isOne ? null : t('created.key')} text={key} name={t('created.copy')} />
          <p className="mb-1.5 text-sm font-medium">{t('created.try')}</p>
          <pre
            // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
            tabIndex={0}
            className="overflow-x-auto rounded-control border border-line bg-bg p-3 font-mono text-[13px]"
          >
            {curlOf(key, scope, baseUrl)}
          </pre>
        </>
      )}
      <Saved onClose={onClose} />
    </>
  )
}

function NamedSecret({ title, text, name }: { title: string | null; text: string; name: string }) {
  return (
    <div className="mb-5">
      {title !== null && <p className="mb-1.5 text-sm font-medium">{title}</p>}
      <Secret text={text} name={name} />
    </div>
  )
}

function curlOf(key: string, scope: Scope, baseUrl: string): string {
  const call = `curl '${baseUrl}/api/v1/links' \\\n  -H 'Authorization: Bearer ${key}'`
  const body = ` \\\n  -H 'Content-Type: application/json' \\\n  -d '{"url": "https://example.com/"}'`
  return scope === 'write' ? call + body : call
}
