import { useEffect, useRef } from 'react'

/**
 * What single keys do, by `KeyboardEvent.key`, in lower case. One that returns false leaves the key to the browser.
 * They can be turned off, as WCAG 2.1.4 asks: who speaks to their computer presses keys without meaning to.
 */
export type Keys = Record<string, () => unknown>

/** The keys of what is on the page; of two for the same key the later counts. */
const layers: { current: Keys }[] = []

const isApple = typeof navigator !== 'undefined' && /Mac|iP(hone|ad|od)/.test(navigator.platform)

/** What the key for commands is called on this keyboard. */
export const MOD = isApple ? '⌘' : 'Ctrl'

/** ⌘K, or Ctrl+K where there is no ⌘: on a Mac, Ctrl+K is a key of text fields. */
export const isModK = ({ key, metaKey, ctrlKey, altKey, shiftKey, isComposing }: KeyboardEvent) =>
  key.toLowerCase() === 'k' && (isApple ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !altKey && !shiftKey && !isComposing

/** Adds these keys for as long as the component is there. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    if (layers.length === 0) window.addEventListener('keydown', press)
    layers.push(latest)
    return () => {
      layers.splice(layers.indexOf(latest), 1)
      if (layers.length === 0) window.removeEventListener('keydown', press)
    }
  }, [])
}

/** Does what the key does now, also while keys are turned off: for a button or a menu that offers the same. */
export const runKey = (key: string): unknown => layers.findLast(({ current }) => Object.hasOwn(current, key))?.current[key]?.()

function press(event: KeyboardEvent): void {
  // Shift is part of how some keyboards write `?` and `/`.
  const key = event.shiftKey ? event.key : event.key.toLowerCase()
  if (event.repeat && key !== 'j' && key !== 'k') return
  if (!layers.some(({ current }) => Object.hasOwn(current, key)) || isForOthers(event) || !areKeysOn()) return
  if (runKey(key) !== false) event.preventDefault()
}

/** Where one types or chooses. In a dialog or a menu, keys are its own. */
const TYPING =
  'input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable]:not([contenteditable=false])'
const OVER = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]'

function isForOthers({ defaultPrevented, ctrlKey, metaKey, altKey, isComposing, target }: KeyboardEvent): boolean {
  if (defaultPrevented || ctrlKey || metaKey || altKey || isComposing) return true
  return (target instanceof Element && target.closest(TYPING) !== null) || document.querySelector(OVER) !== null
}

/** Where browsers kept it before accounts did. */
const OLD = 'terse:single-keys'
let on: boolean | undefined

export function areKeysOn(): boolean {
  on ??= !wereOffHere()
  return on
}

/** Until the page is left. The account keeps it for longer. */
export function turnKeys(wanted: boolean): void {
  on = wanted
}

/**
 * Follows what the account says.
 * @param said null: nothing
 * @returns whether this browser was told before the account was: that they are off
 */
export function followKeys(said: boolean | null): boolean {
  if (said === null) return wereOffHere()
  turnKeys(said)
  try {
    localStorage.removeItem(OLD)
  } catch {
    // The browser refuses storage: there is nothing.
  }
  return false
}

function wereOffHere(): boolean {
  try {
    return localStorage.getItem(OLD) === 'off'
  } catch {
    return false
  }
}
