import { type RefObject, useEffect, useState } from 'react'
import { fillIn, onInput, textsIn } from './use-typed'

/** What was typed into forms that were left without saving, by form, for as long as the app is open; only what differs. */
const drafts = new Map<string, Draft>()
type Draft = ReadonlyMap<string, string>

export const hasDraft = (key: string): boolean => drafts.has(key)

/** @returns what it was, for `putDraft` */
export function dropDraft(key: string): Draft | undefined {
  const draft = drafts.get(key)
  putDraft(key, new Map())
  return draft
}

/** While there is a draft, the browser asks before it goes with the page. */
const warn = (event: BeforeUnloadEvent) => event.preventDefault()

export function putDraft(key: string, draft: Draft): void {
  if (draft.size > 0) drafts.set(key, draft)
  else drafts.delete(key)
  if (drafts.size > 0) addEventListener('beforeunload', warn)
  else removeEventListener('beforeunload', warn)
}

/**
 * Keeps what is typed into a form until it is saved or discarded, however the form is left, and brings it back when the form
 * is opened again. Says whether that happened, and whether anything is not saved now.
 * @param key of the form; null: nothing is kept
 */
export function useDraft(ref: RefObject<HTMLFormElement | null>, key: string | null) {
  const [restored, setRestored] = useState(false)
  const [changed, setChanged] = useState(false)
  useEffect(() => {
    const form = ref.current
    if (!form || key === null) return
    const before = textsIn(form)
    const kept = drafts.get(key)
    if (kept) {
      fillIn(form, kept)
      setRestored(true)
      setChanged(true)
    }
    const keep = () => {
      const draft = new Map([...textsIn(form)].filter(([name, text]) => text !== before.get(name)))
      putDraft(key, draft)
      setChanged(draft.size > 0)
    }
    return onInput(form, keep)
  }, [ref, key])
  const discard = () => {
    ref.current?.reset()
    ref.current?.dispatchEvent(new Event('input', { bubbles: true }))
    setRestored(false)
  }
  return { restored, changed, discard }
}
