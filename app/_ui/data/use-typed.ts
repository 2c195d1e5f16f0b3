import { type RefObject, useEffect, useState } from 'react'

/** What a form says, by field. */
export type Typed = ReadonlyMap<string, string>

type FormRef = RefObject<HTMLFormElement | null>

const NOTHING: Typed = new Map()

/** Of each name the first field: a switch is followed by what it says when it is off. */
const fieldOf = (form: HTMLFormElement, name: string) =>
  form.querySelector<HTMLInputElement | HTMLSelectElement>(`[name="${name}"]`)

/** What a form says now, without what is turned off. */
export function textsIn(form: HTMLFormElement): Map<string, string> {
  const texts = new Map<string, string>()
  for (const [name, text] of new FormData(form)) if (typeof text === 'string' && !texts.has(name)) texts.set(name, text)
  return texts
}

/** Has fields say something else, as if it was typed. */
export function fillIn(form: HTMLFormElement, texts: Iterable<readonly [string, string]>): void {
  for (const [name, text] of texts) {
    const field = fieldOf(form, name)
    if (!field) continue
    if (field.type === 'checkbox') (field as HTMLInputElement).checked = text === 'on'
    else field.value = text
  }
  form.dispatchEvent(new Event('input', { bubbles: true }))
}

/**
 * Calls `react` after each input into a form. At the window, so after React: what is rendered before React has heard of an input
 * would put back what its field said before. @returns ends it
 */
export function onInput(form: HTMLFormElement, react: () => void): () => void {
  const listen = ({ target }: Event) => form.contains(target as Node) && react()
  window.addEventListener('input', listen)
  return () => window.removeEventListener('input', listen)
}

/** What a form says while it is typed. Its fields keep that themselves: they may have been filled in before the scripts came. */
export function useTyped(ref: FormRef): Typed {
  const [typed, setTyped] = useState(NOTHING)
  useEffect(() => {
    const form = ref.current
    if (!form) return
    const read = () => setTyped(textsIn(form))
    read()
    return onInput(form, read)
  }, [ref])
  return typed
}
