import type { OutgoingEvent } from './outbox'

/** Clicks of one row. */
const MOST_CLICKS = 250
/** Characters of one row's JSON, unless a single click takes more. */
const MOST_TEXT = 128 * 1024

/** A click as it is told, but for the link's address, which is read when it is told. */
export interface OutgoingClick {
  linkId: string
  [fact: string]: unknown
}

/**
 * Clicks of one account that are counted in one transaction, as rows of bounded size. Each click is in one row, and a row is told
 * as a whole (lib/webhooks/dispatch.ts), so each counted click is in one batch for each webhook.
 */
export function clickEvents(ownerId: string, clicks: readonly OutgoingClick[]): OutgoingEvent[] {
  const events: OutgoingEvent[] = []
  let data: OutgoingClick[] = []
  let length = 0
  const flush = () => {
    if (data.length > 0) events.push({ kind: 'link.clicked', ownerId, linkId: null, data, size: data.length })
    data = []
    length = 0
  }
  for (const click of clicks) {
    const text = JSON.stringify(click).length
    if (data.length === MOST_CLICKS || length + text > MOST_TEXT) flush()
    data.push(click)
    length += text
  }
  flush()
  return events
}
