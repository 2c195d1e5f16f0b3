'use client'

import { hashKey, QueryClient, QueryClientProvider, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import type { Failure } from '@/lib/forms/failure'
import type { Result } from './http'
import { useInBrowser } from './use-in-browser'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: Failure
  }
}

/**
 * Nothing is read unasked, and what failed says so at once. Each page reads for itself: data is kept only until React has
 * rendered.
 */
const queries = {
  retry: false,
  networkMode: 'always',
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  gcTime: 1000,
} as const

/** Around the pages that read data of the server. The others do without, and need not load the library. */
export function ServerDataProvider({ children }: { children: ReactNode }) {
  const [client] = useState(() => new QueryClient({ defaultOptions: { queries } }))
  return <QueryClientProvider client={client}>{children}</QueryClientProvider>
}

/** What a query function returns: the value of a result, or its failure thrown. */
export async function valueOrThrow<T>(pending: Promise<Result<T>>): Promise<T> {
  const result = await pending
  if (!result.ok) throw result.failure
  return result.value
}

export interface ServerData<T> {
  /** What was last read, kept while other data is on its way. */
  value: T | null
  /** The value is not the one asked for now. */
  stale: boolean
  /** Why it could not be read. Stays until it is read. */
  failure: Failure | null
  /** When the value was read, by the clock of this browser, in ms. */
  readAt: number
  /** Reads it again, in the background. */
  reload: () => void
  /** Changes the value here, as the server has changed it. */
  change(update: (value: T) => T): Promise<void>
}

interface How<T> {
  enabled?: boolean
  /** Reads it again every so many ms. */
  refetchInterval?: number
  /** What the page came with, for the key that it is opened with. */
  first?: T | undefined
}

/** How long what a page came with is as good as read by it, in ms. */
const FRESH = 10_000

export function useServerData<T>(
  key: QueryKey,
  load: (signal: AbortSignal) => Promise<Result<T>>,
  { first, ...poll }: How<T> = {},
): ServerData<T> {
  const client = useQueryClient()
  // What comes with the document is new. A page that is returned to may be an old one, whose values are read again behind it.
  const isRestored = useInBrowser()
  const [served] = useState(() =>
    first === undefined ? null : { hash: hashKey(key), value: first, at: isRestored ? 0 : Date.now() },
  )
  const isServed = served !== null && served.hash === hashKey(key)
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => valueOrThrow(load(signal)),
    ...poll,
    ...(isServed && { initialData: () => served.value, initialDataUpdatedAt: served.at, staleTime: FRESH }),
  })
  const { data, error, isPending, isFetching, isFetchedAfterMount, dataUpdatedAt, refetch } = query
  const [kept, setKept] = useState<{ value: T | null; failure: Failure | null }>({ value: null, failure: null })
  const isOfPage = isFetchedAfterMount || isServed
  const now = isPending || !isOfPage ? kept : { value: data ?? kept.value, failure: error }
  if (now.value !== kept.value || now.failure !== kept.failure) setKept(now)

  // Asked to reload while it is reading, it reads once more afterwards: news that come faster than answers must not keep them
  // away.
  const [again, setAgain] = useState(false)
  useEffect(() => {
    if (!again || isFetching) return
    setAgain(false)
    void refetch()
  }, [again, isFetching, refetch])
  const reload = useCallback(() => setAgain(true), [])

  const change = async (update: (value: T) => T) => {
    // What is being read may be from before the change, and would undo it here.
    const reading = client.isFetching({ queryKey: key, exact: true }) > 0
    await client.cancelQueries({ queryKey: key, exact: true })
    client.setQueryData<T>(key, (value) => value && update(value))
    setKept(({ value, failure }) => ({ value: value && update(value), failure }))
    if (reading) reload()
  }
  const stale = data === undefined || !isOfPage
  return { ...now, stale, readAt: dataUpdatedAt, reload, change }
}
