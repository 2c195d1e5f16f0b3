import { byKey } from '@/lib/accounts/identify'
import { bySignature } from '@/lib/accounts/signatures'
import { isTerseError } from '@/lib/errors'
import { type Asked, type Dialect, type ForeignCall, foreignEndpoint, type Refusal } from '../dialect'
import { databaseStats, expand, failed, linkStats, shorten, stats } from './actions'
import { bookmarklet, prefixed } from './bookmarklets'
import { type Output, outputIn } from './output'
import { parameter } from './parameters'

/** The release whose answers these are. */
const VERSION = '1.10.2'

const ACTIONS: Readonly<Record<string, (call: ForeignCall) => Promise<Output>>> = {
  expand,
  'url-stats': linkStats,
  stats,
  'db-stats': databaseStats,
  version: async (call) => ({
    version: VERSION,
    ...(parameter(call, 'db') === '1' && { db_version: '507' }),
    simple: VERSION,
  }),
}

const UNKNOWN: Output = {
  ...{ errorCode: '400', message: 'Unknown or missing "action" parameter', simple: 'Unknown or missing "action" parameter' },
}

/** In the format that was asked for. */
const sent = (asked: Pick<Asked, 'fields' | 'query'>, output: Output) =>
  outputIn(parameter(asked, 'format'), parameter(asked, 'callback') ?? parameter(asked, 'jsonp'), output)

/** By a signature or, sent in its place, an API key. */
async function identify(ctx: ForeignCall['ctx'], asked: Asked) {
  const signature = parameter(asked, 'signature')
  if (!signature) return null
  const given = {
    ...{ signature, timestamp: parameter(asked, 'timestamp') || undefined, hash: parameter(asked, 'hash') || undefined },
    handle: asked.params.handle,
  }
  if (given.timestamp !== undefined) return bySignature(ctx, given)
  try {
    // First: otherwise anyone who knows one could register a key by its hash, and get the links of its scripts.
    return await bySignature(ctx, given)
  } catch (error) {
    if (!isTerseError(error) || error.code !== 'unauthorized') throw error
    return byKey(ctx, signature)
  }
}

function refuse({ error, write, asked }: Refusal): Response {
  const message = write(error.said)
  if (error.code === 'unauthorized' || error.code === 'forbidden') {
    const isMissing = error.code === 'unauthorized' && !parameter(asked, 'signature')
    const told = isMissing ? 'Please log in' : message
    return sent(asked, { message: told, errorCode: '403', simple: told })
  }
  if (error.code === 'validation_failed' || error.code === 'bad_request') {
    const isUrl = error.errors?.[0]?.path === 'url'
    return sent(asked, failed(isUrl ? 'error:nourl' : 'error:input', message))
  }
  const status = String(error.status)
  return sent(asked, { status: 'fail', code: 'error', message, errorCode: status, statusCode: status, simple: message })
}

const answer = (call: ForeignCall) => actionOf(call).then((output) => sent(call, output))

async function actionOf(call: ForeignCall): Promise<Output> {
  const action = parameter(call, 'action') ?? ''
  // A client asks so for the statistics of all.
  if (action === 'url-stats' && parameter(call, 'shorturl') === undefined && parameter(call, 'filter')) return stats(call)
  if (action !== 'shorturl') return Object.hasOwn(ACTIONS, action) ? ((await ACTIONS[action]?.(call)) ?? UNKNOWN) : UNKNOWN
  await call.requireChange()
  return shorten(call)
}

/** What an action changes is asked where it is known: `shorturl` comes by GET too. */
const ANY = { summary: '', limit: 'api', needs: 'account', changes: false } as const

/** What only opens a form. */
const OPEN = { summary: '', limit: 'api', needs: 'nothing', changes: false } as const

/** The API of YOURLS: one path, and an action among its parameters. Names and passwords are not taken: API keys alone are. */
export const yourls: Dialect = {
  endpoints: [
    ...(['GET', 'POST'] as const).flatMap((method) => [
      foreignEndpoint(`${method} /yourls-api.php`, ANY, answer),
      foreignEndpoint(`${method} /@{handle}/yourls-api.php`, ANY, answer),
    ]),
    foreignEndpoint('GET /admin/index.php', OPEN, bookmarklet),
    foreignEndpoint('GET /http:/{address+}', OPEN, prefixed),
    foreignEndpoint('GET /https:/{address+}', OPEN, prefixed),
  ],
  actions: [
    ['shorturl', 'Shorten url, as keyword if you send one, with title'],
    ['expand', 'Tell where shorturl leads'],
    ['url-stats', 'Tell the clicks of shorturl'],
    ['stats', 'List links: filter (top, bottom, last, rand), limit, start'],
    ['db-stats', 'Count your links and their clicks'],
    ['version', 'Tell the version of the API'],
  ].map(([action = '', summary = '']) => ({ method: 'POST', path: `action=${action}`, summary })),
  identify,
  refuse,
  keyHeaders: [],
}
