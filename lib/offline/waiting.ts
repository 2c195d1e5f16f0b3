/** URLs that were typed without a network, to be shortened later. They lie in this browser's localStorage and nowhere else. */

export const WAITING_KEY = 'terse:waiting'
/** So that nothing fills the storage in which the keys of links are. */
export const MOST_WAITING = 50

export interface WaitingUrl {
  /** Names the attempt to the API, as `Idempotency-Key`: however often it is sent, it is one link. */
  id: string
  url: string
  /** When it was first sent, in ms: the answer may have been lost. */
  sentAt?: number
  /** Why it was refused. */
  failure?: string
  /** It would be refused again. */
  final?: boolean
}
