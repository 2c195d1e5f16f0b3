import { failureOf, type Outbound } from '@/lib/net/outbound'
import { toLine } from '@/lib/tools/line'
import type { DeliveryFailure } from './values'

/** For all of an attempt, in ms. */
export const PATIENCE = 10_000
/** Bytes of an answer that are read, and characters that are kept. */
const [READ, KEPT] = [4_096, 500]

/** What came of one attempt. */
export interface Attempt {
  /** null: nothing was answered. */
  status: number | null
  /** null: it was taken. */
  failure: DeliveryFailure | null
  answer: string
  /** ms */
  took: number
}

/** Sends a body to a webhook, once. A redirect is not followed: it is no success. Never throws. */
export async function attempt(
  outbound: Outbound,
  url: string,
  headers: Record<string, string>,
  body: string,
  timeout = PATIENCE,
): Promise<Attempt> {
  const begun = performance.now()
  const took = () => Math.round(performance.now() - begun)
  try {
    const answer = await outbound.fetch(new URL(url), { method: 'POST', headers, body, timeout, maxBytes: READ, ports: 'open' })
    const { status } = answer
    const isTaken = status >= 200 && status < 300
    return { status, failure: isTaken ? null : 'status', answer: textOf(answer.body), took: took() }
  } catch (error) {
    return { status: null, failure: failureOf(error), answer: '', took: took() }
  }
}

/** The beginning of an answer as one line, whatever bytes it holds. */
const textOf = (body: Buffer) => toLine(body.toString('utf8').slice(0, KEPT))
