import { say } from '@/lib/i18n/message'
import type { RowOutcome } from '@/lib/jobs/row-outcome'
import { UNKNOWN_CLIENT } from '@/lib/net/clients'
import { headOrGet, type Outbound, type OutboundAnswer, RefusedError, retryAfterOf } from '@/lib/net/outbound'
import { type AnswerContext, answer } from '@/lib/redirect/answer'
import { encodePath } from '@/lib/tools/encode-path'
import { parseUrl } from '@/lib/tools/url'
import { notReachable } from './errors'

/** How a short link answers. */
export interface Reply {
  status: number
  /** Where it redirects to, whole; '' for nowhere. */
  location: string
}

/** Characters of a destination that are told: two of them have to fit into a message. */
const SHOWN = 170

/** Its headers tell all. In ms, for one request. */
const REQUEST = { timeout: 10_000, maxBytes: 0, ports: 'open' } as const

/**
 * Asks the old service for a short link: by HEAD, and by GET where it refuses that. No redirect is followed.
 * @returns null where there is no answer
 * @throws RefusedError for what may not be asked; `Busy` where it wants to be asked later
 */
export async function oldReply(outbound: Outbound, url: URL): Promise<Reply | null> {
  const ask = () => headOrGet(outbound, url, REQUEST).catch(noAnswer)
  // Once more, since of many requests one may be lost.
  const given = (await ask()) ?? (await ask())
  if (given === null) return null
  if (given.status === 429 || given.status === 503) throw new Busy(retryAfterOf(given))
  return replyOf(url, given)
}

/** @throws RefusedError: that is for all links of a service, and no answer of it */
function noAnswer(error: unknown): null {
  if (error instanceof RefusedError) throw error
  return null
}

/** Throws unless an old service may be asked, as far as can be told now. @throws TerseError 'validation_failed' */
export async function requireAskable(outbound: Outbound, url: URL): Promise<void> {
  await outbound.probe(url, REQUEST.ports, REQUEST.timeout).catch((error: unknown) => {
    if (error instanceof RefusedError) throw notReachable('validation_failed', url.host, error)
  })
}

/** The old service wants to be asked later. */
export class Busy extends Error {
  /** @param seconds how much later */
  constructor(readonly seconds: number) {
    super(`to be asked again in ${seconds} s`)
  }
}

const replyOf = (url: URL, { status, headers }: OutboundAnswer): Reply => ({
  status,
  location: headers.location === undefined ? '' : (parseUrl(headers.location, url)?.href ?? headers.location),
})

/**
 * How we answer a request for a short link, by the very function that answers visitors: not by the network, so a domain can be
 * compared before it leads here. It is no click.
 */
export async function newReply(ctx: AnswerContext, host: string, code: string): Promise<Reply> {
  const path = new URL(`http://${host}/${encodePath(code)}`).pathname
  const guesses: AnswerContext['guesses'] = { ask: (_client, _full, ask) => ask() }
  const given = await answer(
    { ...ctx, guesses },
    {
      ...{ method: 'HEAD', path, query: '', rawHeaders: [], host, accept: '*/*', language: '' },
      client: () => UNKNOWN_CLIENT,
      body: async () => '',
    },
  )
  const at = given.headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'location')
  const location = at === -1 ? '' : (given.headers[at + 1] ?? '')
  return {
    status: given.status,
    location: location === '' ? '' : (parseUrl(location, new URL(`http://${host}/`))?.href ?? location),
  }
}

/** What came of comparing a short link, by how both answer. @param isMissing the import of it did not get it */
export function compared(target: string, old: Reply | null, now: Reply, isMissing = false): RowOutcome {
  if (old === null) return { target, outcome: 'failed', result: 'unreachable', message: say('api.verify.noAnswer') }
  if (old.status === now.status && old.location === now.location) return { target, outcome: 'done', result: 'same' }
  // Behind a status, from which it is set apart where there is one.
  const cut = (text: string) => (text === '' ? '' : ` ${text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text}`)
  const message = say(isMissing ? 'api.verify.missing' : 'api.verify.differs', {
    ...{ oldStatus: old.status, oldLocation: cut(old.location), newStatus: now.status, newLocation: cut(now.location) },
  })
  if (isMissing) return { target, outcome: 'failed', result: 'missing', message }
  return { target, outcome: 'failed', result: old.location === now.location ? 'status' : 'location', message }
}
