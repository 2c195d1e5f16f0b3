'use client'

import { KeyRound } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { Button } from '@/app/_ui/base/button'
import { TextField } from '@/app/_ui/base/field'
import { Form } from '@/app/_ui/base/form'
import { isTokenShaped, keepTabToken } from '@/app/_ui/data/access'
import { getLink } from '@/app/_ui/data/api'
import { rememberLink } from '@/app/_ui/data/recents'
import { focusFirstInvalid } from '@/app/_ui/data/use-form'
import { textOf } from '@/lib/forms/fields'

interface Props {
  code: string
  domain: string
  /** The key that was known here no longer opens the link. */
  refused: boolean
}

/** Asks for the link's key. Only who holds it may see who came. */
export function TokenForm({ code, domain, refused }: Props) {
  const form = useRef<HTMLFormElement>(null)
  const [error, setError] = useState<string>()
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const message = await open(textOf(data, 'token').trim(), data.has('keep'))
    setError(message)
    if (message) requestAnimationFrame(() => focusFirstInvalid(form.current))
  }
  /** @returns what is wrong */
  const open = async (token: string, keep: boolean): Promise<string | undefined> => {
    if (token === '') return 'Paste the key of this link.'
    if (!isTokenShaped(token)) return 'This is no key: it holds characters that no key has.'
    setBusy(true)
    const result = await getLink({ code, domain, manageToken: token })
    setBusy(false)
    if (!result.ok) return result.failure.kind === 'refused' ? 'This key does not open this link.' : result.failure.message
    if (keep) rememberLink({ ...result.value, manageToken: token })
    keepTabToken({ code, domain }, keep ? null : token)
    return undefined
  }
  return (
    <section aria-labelledby="key-title" className="mx-auto mt-10 max-w-lg rounded-card border border-line bg-surface p-5 sm:p-7">
      <h2 id="key-title" className="flex items-center gap-2.5 text-lg font-semibold">
        <KeyRound aria-hidden="true" className="size-5 shrink-0 text-muted" />
        {refused ? 'The key kept here no longer opens this link' : 'These statistics need the link’s key'}
      </h2>
      <p className="mt-2 text-sm text-muted">
        The key (its <code className="font-mono">manageToken</code>) came with the link when it was made, and is kept by the
        browser that made it. You find it in a file exported there.
      </p>
      <Form name={null} ref={form} onSubmit={submit} className="mt-5">
        <TextField
          label="Key"
          name="token"
          error={error}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={() => setError(undefined)}
        />
        <label className="mt-3 flex min-h-11 items-center gap-3 text-sm sm:min-h-0">
          <input type="checkbox" name="keep" defaultChecked className="size-4 accent-accent" />
          Keep it with my links on this device
        </label>
        <Button type="submit" look="primary" className="mt-5 w-full sm:w-auto" busy={busy}>
          Show the statistics
        </Button>
      </Form>
    </section>
  )
}
