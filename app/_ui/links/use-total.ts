import type { CursorPage } from '@/app/_ui/data/cursor-page'
import type { Result } from '@/app/_ui/data/http'
import { useServerData } from '@/app/_ui/data/server-data'
import type { LinkTotal } from '@/lib/links/schemas'

export interface Counted<T> extends CursorPage<T> {
  /** Links on all pages; null until they are counted, and where they cannot be. */
  total: LinkTotal | null
}

/**
 * A page of a list of links, with how many links the list holds. They are counted beside it: rows do not wait for that.
 * @param query as the page's
 */
export function useTotal<T>(
  page: CursorPage<T>,
  name: string,
  { sort: _, cursor: __, ...query }: Record<string, string>,
  count: (query: Record<string, string>, signal: AbortSignal) => Promise<Result<LinkTotal>>,
): Counted<T> {
  const total = useServerData([name, query], (signal) => count(query, signal))
  const { reload } = total
  return {
    ...page,
    total: total.stale || total.failure ? null : total.value,
    reload: () => {
      page.reload()
      reload()
    },
    remove: (id) => {
      page.remove(id)
      reload()
    },
  }
}
