import { useCallback, useMemo, useRef, useState } from 'react'

export interface RowSelection {
  /** Keys of the rows that are chosen, those out of sight included. */
  chosen: ReadonlySet<string>
  /** @param withShift also all rows between this one and the one before */
  toggle: (key: string, on: boolean, withShift: boolean) => void
  /** All rows in sight, or none of them. */
  togglePage: (on: boolean) => void
  clear: () => void
}

/**
 * Which rows of a list are chosen; they stay so from page to page.
 * @param keys of the rows in sight, in their order
 */
export function useSelection(keys: readonly string[]): RowSelection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const last = useRef<string | null>(null)
  const visible = useRef(keys)
  visible.current = keys

  const set = useCallback((changed: readonly string[], on: boolean) => {
    setChosen((before) => {
      const after = new Set(before)
      for (const key of changed) {
        if (on) after.add(key)
        else after.delete(key)
      }
      return after
    })
  }, [])
  const toggle = useCallback(
    (key: string, on: boolean, withShift: boolean) => {
      const here = visible.current.indexOf(key)
      const before = last.current === null ? -1 : visible.current.indexOf(last.current)
      const range = withShift && before !== -1 ? visible.current.slice(Math.min(here, before), Math.max(here, before) + 1) : [key]
      last.current = key
      set(range, on)
    },
    [set],
  )
  const togglePage = useCallback((on: boolean) => set(visible.current, on), [set])
  const clear = useCallback(() => {
    last.current = null
    setChosen(new Set())
  }, [])
  return useMemo(() => ({ chosen, toggle, togglePage, clear }), [chosen, toggle, togglePage, clear])
}
