import { createHmac } from 'node:crypto'
import { keyedHash } from '@/lib/tools/hash'
import { DAY } from '@/lib/tools/time'

/** How long the former secret signs beside the new one, in ms. */
export const FORMER_SECRET_FOR = DAY

interface Rolled {
  id: bigint
  /** How often the secret was rolled. */
  roll: number
  rolledAt: Date | null
}

/** A webhook's secret: 32 bytes. Made of the deployment's own, so that a copy of the database tells none. */
function secretOf(appSecret: string, id: bigint, roll: number): Buffer {
  return keyedHash(appSecret, `secret ${roll} of webhook ${id}`)
}

/** The same as it is shown, once. */
export const shownSecret = (appSecret: string, { id, roll }: Rolled) =>
  `whsec_${secretOf(appSecret, id, roll).toString('base64')}`

/**
 * The headers of a delivery, as Standard Webhooks has them: a signature of id, time and body; for a day after the secret was
 * rolled, another by the former one.
 * @param at ms since 1970
 */
export function signedHeaders(
  appSecret: string,
  webhook: Rolled,
  eventId: string,
  body: string,
  at: number,
): Record<string, string> {
  const seconds = Math.floor(at / 1000)
  const former = webhook.rolledAt !== null && at - webhook.rolledAt.getTime() < FORMER_SECRET_FOR
  const rolls = former ? [webhook.roll, webhook.roll - 1] : [webhook.roll]
  const signatures = rolls.map((roll) => {
    const secret = secretOf(appSecret, webhook.id, roll)
    return `v1,${createHmac('sha256', secret).update(`${eventId}.${seconds}.${body}`).digest('base64')}`
  })
  return {
    'Content-Type': 'application/json',
    'webhook-id': eventId,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatures.join(' '),
  }
}
