import { useState } from 'react'
import { Button } from '@/app/_ui/base/button'
import { Dialog } from '@/app/_ui/base/dialog'
import { TextField } from '@/app/_ui/base/field'
import { FormDialog } from '@/app/_ui/base/form-dialog'
import { Secret } from '@/app/_ui/base/secret'
import { Select } from '@/app/_ui/base/select'
import { createKey } from '@/app/_ui/data/account'
import { textOf } from '@/app/_ui/data/form'
import { useForm, wrongBy } from '@/app/_ui/data/use-form'
import { type ApiKeyView, CreateApiKey, type KEY_SCOPES } from '@/lib/accounts/schemas'

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
  const [scope, setScope] = useState<Scope>('read')
  const [life, setLife] = useState<(typeof LIVES)[number]['value']>('90')
  const [made, setMade] = useState<ApiKeyView | null>(null)
  const form = useForm(async (data) => {
    const body = { name: textOf(data, 'name'), scope, expiresInDays: life === NEVER ? null : Number(life) }
    const parsed = CreateApiKey.safeParse(body)
    if (!parsed.success) return wrongBy(parsed.error)
    const result = await createKey(parsed.data)
    if (!result.ok) return result.failure
    setMade(result.value)
    onCreated()
    return null
  })
  if (made?.key) return <KeyDialog apiKey={made.key} scope={made.scope} baseUrl={baseUrl} onClose={onClose} />
  return (
    <FormDialog title="New API key" form={form} action="Make the key" onClose={onClose}>
      <TextField
        label="Name"
        name="name"
        maxLength={100}
        autoComplete="off"
        placeholder="Newsletter script"
        error={form.errors.name}
        onChange={() => form.clear('name')}
      />
      <Select label="What it may do" labelShown value={scope} options={SCOPES} onChange={setScope} />
      <Select label="Expires" labelShown value={life} options={LIVES} onChange={setLife} />
    </FormDialog>
  )
}

interface KeyProps {
  apiKey: string
  scope: Scope
  baseUrl: string
  onClose: () => void
}

/** The key, this once, and how it is used. */
function KeyDialog({ apiKey, scope, baseUrl, onClose }: KeyProps) {
  return (
    <Dialog title="Your new key" description="Copy it now: it is not shown again." onClose={onClose}>
      <Secret text={apiKey} name="the key" />
      <p className="mt-5 mb-1.5 text-sm font-medium">Try it in a terminal</p>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
        className="overflow-x-auto rounded-control border border-line bg-bg p-3 font-mono text-[13px]"
      >
        {curlOf(apiKey, scope, baseUrl)}
      </pre>
      <div className="mt-6 flex justify-end">
        <Button onClick={onClose}>Done</Button>
      </div>
    </Dialog>
  )
}

function curlOf(key: string, scope: Scope, baseUrl: string): string {
  const call = `curl '${baseUrl}/api/v1/links' \\\n  -H 'Authorization: Bearer ${key}'`
  const body = ` \\\n  -H 'Content-Type: application/json' \\\n  -d '{"url": "https://example.com/"}'`
  return scope === 'write' ? call + body : call
}
