import { Overview } from '@/lib/overview/schemas'
import { type Result, send } from './http'

/** Numbers over all links of the account, of the last `days` days. */
export function getOverview(days: number, signal?: AbortSignal): Promise<Result<Overview>> {
  return send('GET', `/api/v1/account/overview?days=${days}`, Overview, { signal })
}
