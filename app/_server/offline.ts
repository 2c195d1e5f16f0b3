import { pageLocale } from '@/app/_server/locale'
import { runtime } from '@/lib/runtime'

/** Address of the worker that keeps a front page in the reader's language; null where that is turned off. */
export async function offlineWorker(): Promise<string | null> {
  const { config, offline } = await runtime()
  return config.OFFLINE_PAGE ? offline.in(await pageLocale()).worker : null
}
