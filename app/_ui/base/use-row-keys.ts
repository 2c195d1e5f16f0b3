import { useKeys } from './keys'
import type { RowSelection } from './use-selection'

/**
 * Single keys of a list: `j` and `k` move from row to row, `x` selects.
 * @param acts what other keys do with the row that the cursor is in
 */
export function useRowKeys<T extends { id: string }>(
  rows: readonly T[],
  selection: RowSelection,
  acts: Record<string, (row: T) => void>,
): void {
  const onRow = (act: (row: T) => void) => () => {
    const row = rows.find(({ id }) => id === currentRow()?.dataset.row)
    if (!row) return false
    act(row)
  }
  const keys = Object.entries(acts).map(([key, act]) => [
    key,
    // Within the row, Enter presses what has the cursor.
    key === 'enter' ? () => document.activeElement === currentRow() && onRow(leaveBy(act))() : onRow(act),
  ])
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    x: onRow(({ id }) => selection.toggle(id, !selection.chosen.has(id), false)),
    ...Object.fromEntries(keys),
  })
}

const leaveBy =
  <T extends { id: string }>(act: (row: T) => void) =>
  (row: T) => {
    rememberRow(row.id)
    act(row)
  }

const currentRow = () => document.activeElement?.closest<HTMLElement>('[data-row]') ?? null

/** Puts the cursor on the row so many further down; on the first if it is on none. */
function move(by: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')]
  const current = currentRow()
  const to = current ? rows.indexOf(current) + by : 0
  rows[Math.max(0, Math.min(to, rows.length - 1))]?.focus()
}

/** Puts the cursor on the row below this one, on the last one on the row above. @returns whether there is one */
export function focusBeside(id: string): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')]
  const at = rows.findIndex(({ dataset }) => dataset.row === id)
  const beside = at === -1 ? undefined : (rows[at + 1] ?? rows[at - 1])
  beside?.focus()
  return beside !== undefined
}

/** Names the row that leads away from the list, in this step of the history: who comes back goes on from it. */
export function rememberRow(id: string): void {
  history.replaceState({ ...history.state, row: id }, '')
}

/** Puts the cursor on the row that led away from here, once one is back. */
export function focusRemembered(): void {
  const { row, ...state } = (history.state ?? {}) as { row?: unknown }
  if (typeof row !== 'string') return
  history.replaceState(state, '')
  if (document.activeElement === document.body) document.querySelector<HTMLElement>(`[data-row="${CSS.escape(row)}"]`)?.focus()
}
