import { useQueryClient } from '@tanstack/react-query'
import type { Result } from './http'
import { type ServerData, useServerData } from './server-data'

const PAGE = 25
/** Requests in a row for one page, before it is left to the reader whether to look on. */
const MAX_STEPS = 40

/** A page of a list as the API answers it. */
export interface Rows<T> {
  rows: T[]
  nextCursor: string | null
}

interface Found<T> extends Rows<T> {
  /** There is more to look through for this page. */
  looking: boolean
}

type Query = Record<string, string>

export interface CursorPage<T> extends Pick<ServerData<unknown>, 'stale' | 'failure' | 'reload'> {
  /** null until the first are here. */
  rows: T[] | null
  nextCursor: string | null
  looking: boolean
  /** Puts the new state of a row in its place. */
  replace: (row: T) => void
  remove: (id: string) => void
}

/**
 * A page of a list. The server may answer after looking through so much, with what it has found by then: this asks on
 * until the page is full.
 * @param query filters and cursor, as the API knows them
 */
export function useCursorPage<T extends { id: string }>(
  name: string,
  query: Query,
  list: (query: Query, signal: AbortSignal) => Promise<Result<Rows<T>>>,
): CursorPage<T> {
  const client = useQueryClient()
  const key = [name, query]
  const look = async (signal: AbortSignal): Promise<Result<Found<T>>> => {
    let rows: T[] = []
    let cursor = query.cursor ?? null
    for (let step = 1; ; step++) {
      const result = await list({ ...query, ...(cursor && { cursor }), limit: String(PAGE - rows.length) }, signal)
      if (!result.ok) return result
      rows = [...rows, ...result.value.rows]
      cursor = result.value.nextCursor
      const value = { rows, nextCursor: cursor, looking: cursor !== null && rows.length < PAGE && step < MAX_STEPS }
      if (!value.looking || signal.aborted) return { ok: true, value }
      client.setQueryData(key, value)
    }
  }
  const { value, change, readAt: _, ...page } = useServerData(key, look)
  const update = (rows: (rows: T[]) => T[]) => void change((found) => ({ ...found, rows: rows(found.rows) }))
  return {
    ...page,
    rows: value?.rows ?? null,
    nextCursor: value?.nextCursor ?? null,
    looking: page.failure === null && (value?.looking ?? true),
    replace: (row) => update((rows) => rows.map((other) => (other.id === row.id ? row : other))),
    remove: (id) => update((rows) => rows.filter((other) => other.id !== id)),
  }
}
