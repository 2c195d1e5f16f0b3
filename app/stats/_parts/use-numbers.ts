import { useEffect, useState } from 'react'
import type { Result } from '@/app/_ui/data/http'
import { useServerData } from '@/app/_ui/data/server-data'
import type { ScopeCounting } from '@/lib/scopes/schemas'
import type { ViewControl } from './use-view'
import { PLAIN_VIEW } from './view'

/** How often numbers are read again: while they are being counted, and otherwise, in ms. */
const [SOON, LATER] = [2_000, 60_000]

interface Asked<V> {
  key: readonly unknown[]
  control: ViewControl
  read: (signal: AbortSignal) => Promise<Result<V | ScopeCounting>>
  /** Whether they are being counted again, of numbers that are there. */
  isCounting: (value: V) => boolean
  first?: V | undefined
}

/**
 * The statistics of what may be several links, read again every minute.
 * @returns `counted`: how many links were counted so far, where there are no numbers yet; `again` reads them again, of what can
 *   be asked for if an address did not
 */
export function useNumbers<V extends object>({ key, control, read, isCounting, first }: Asked<V>) {
  const [isSoon, setSoon] = useState(false)
  const { value, failure, stale, reload } = useServerData<V | ScopeCounting>(key, read, {
    first,
    refetchInterval: isSoon ? SOON : LATER,
  })
  const isWaiting = value !== null && 'counted' in value
  const stats = isWaiting ? null : value
  const counting = isWaiting || (stats !== null && isCounting(stats))
  useEffect(() => setSoon(counting), [counting])
  const again = () => {
    // An address typed by hand that asks for what there cannot be would only be refused again.
    if (failure?.kind === 'invalid') control.change(PLAIN_VIEW)
    else reload()
  }
  return { stats, counted: isWaiting ? value.counted : null, failure, stale, again, reload }
}
