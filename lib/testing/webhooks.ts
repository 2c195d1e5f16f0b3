import type { Connection } from 'mariadb'
import { afterAll, expect } from 'vitest'
import * as api from '@/lib/api/webhooks'
import type { EventKind } from '@/lib/events/kinds'
import { CreateLink } from '@/lib/links/schemas'
import type { Runtime } from '@/lib/runtime'
import { WEBHOOK_EVENTS } from '@/lib/webhooks/event-schemas'
import { freshEmail, PASSWORD, Visitor } from './accounts'
import { eventually } from './eventually'
import { type ReceivedHook, Receiver } from './receiver'
import { owner } from './runtime'

type Role = 'admin' | 'user'
type Endpoint = Parameters<Visitor['ask']>[0]

let last = 0
/** A link to create, which no other leads to. */
export const newLink = (at: string) => CreateLink.parse({ url: `https://example.com/${at}${++last}` })

/** The request that a receiver got as its nth, once it is there. */
export const nth = (hooks: ReceivedHook[], n = 1) =>
  eventually(() => {
    const hook = hooks[n - 1]
    if (!hook) throw new Error(`${hooks.length} of ${n}`)
    return hook
  })

/** Accounts with webhooks, for tests of them. All that they are sent has the form that the documentation says. */
export function webhookTests(ctx: Runtime, connection: Connection) {
  const receivers: Receiver[] = []
  afterAll(() => {
    for (const { body } of receivers.flatMap(({ received }) => received)) {
      const event = WEBHOOK_EVENTS.find(({ type }) => type === body.type)
      expect(event?.body.parse(body)).toEqual(body)
    }
  })

  /** Someone who is signed in. They were sent one email. */
  async function signedIn(role: Role = 'user') {
    const [visitor, email] = [new Visitor(ctx), freshEmail()]
    await visitor.auth('/sign-up/email', { email, name: 'Someone', password: PASSWORD })
    await connection.query('UPDATE User SET emailVerified = TRUE, role = ? WHERE email = ?', [role, email])
    await visitor.signIn(email)
    const id: string = (await visitor.auth('/get-session')).body.user.id
    return { visitor, email, id }
  }

  /** The same with a webhook, and its receiver. */
  async function listening(events: EventKind[], role: Role = 'user') {
    const { visitor, email, id } = await signedIn(role)
    const receiver = await Receiver.open()
    receivers.push(receiver)
    const made = await visitor.ask(api.postWebhook, 'POST', '/api/v1/webhooks', { url: receiver.url, events })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const hook = made.body as { id: string; secret: string }
    const on = (endpoint: Endpoint, method: string, body?: unknown, params: Record<string, string> = {}) =>
      visitor.ask(endpoint, method, '/api/v1/webhooks', body, {}, { id: hook.id, ...params })
    const log = async () => (await on(api.getDeliveries, 'GET')).body.deliveries
    return { visitor, id, email, actor: owner(id), receiver, hook, on, log }
  }

  return { signedIn, listening }
}
