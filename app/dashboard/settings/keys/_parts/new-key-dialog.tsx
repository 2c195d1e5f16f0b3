import { useState } from 'react'
import { Dialog } from '@/app/_ui/base/dialog'
import { DialogForm } from '@/app/_ui/base/dialog-form'
import { TextField } from '@/app/_ui/base/field'
import { Saved, Secret } from '@/app/_ui/base/secret'
import { Select } from '@/app/_ui/base/select'
import { createKey } from '@/app/_ui/data/account'
import { invalidBy, useForm } from '@/app/_ui/data/use-form'
import { type ApiKeyView, CreateApiKey, type KEY_SCOPES } from '@/lib/accounts/schemas'
import { textOf } from '@/lib/forms/fields'

type Scope = (typeof KEY_SCOPES)[number]

const SCOPES: readonly { value: Scope; label: string }[] = [
  { value: 'read', label: 'Read only: look at links and statistics' },
  { value: 'write', label: 'Read and write: make, change and delete links too' },
]

const NEVER = 'never'
const LIVES = [
  { value: '30', label: 'After 30 days' },
  { value: '90', label: 'After 90 days' },
  { value: '365', label: 'After a year' },
  { value: NEVER, label: 'Never' },
] as const

interface Props {
  baseUrl: string
  onCreated: () => void
  onClose: () => void
}

export function NewKeyDialog({ baseUrl, onCreated, onClose }: Props) {
  const [made, setMade] = useState<ApiKeyView | null>(null)
  const created = (key: ApiKeyView) => {
    setMade(key)
    onCreated()
  }
  // The same dialog for both: one that closed would take the cursor back to the page.
  return (
    <Dialog
      title={made ? 'Your new key' : 'New API key'}
      description={made ? 'Copy it now: it is not shown again.' : undefined}
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
  const [scope, setScope] = useState<Scope>('read')
  const [life, setLife] = useState<(typeof LIVES)[number]['value']>('90')
  const form = useForm(async (data) => {
    const body = { name: textOf(data, 'name'), scope, expiresInDays: life === NEVER ? null : Number(life) }
    const parsed = CreateApiKey.safeParse(body)
    if (!parsed.success) return invalidBy(parsed.error)
    const result = await createKey(parsed.data)
    if (!result.ok) return result.failure
    onCreated(result.value)
    return null
  })
  return (
    <DialogForm label="New API key" form={form} action="Make the key" onClose={onClose}>
      <TextField label="Name" {...form.field('name')} maxLength={100} autoComplete="off" placeholder="Newsletter script" />
      <Select label="What it may do" labelShown value={scope} options={SCOPES} onChange={setScope} />
      <Select label="Expires" labelShown value={life} options={LIVES} onChange={setLife} />
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
  return (
    <>
      <Secret text={apiKey} name="the key" />
      <p className="mt-5 mb-1.5 text-sm font-medium">Try it in a terminal</p>
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
