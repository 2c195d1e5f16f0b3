import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener, RequestError } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { isForeignPath } from '@/lib/codes/foreign-paths'
import type { ForeignApi } from '@/lib/config'
import { TerseError } from '@/lib/errors'
import { negotiate } from '@/lib/i18n/languages'
import { say } from '@/lib/i18n/message'
import type { Runtime } from '@/lib/runtime'
import { problem } from './problem'
import { answerApi } from './router'
import { send } from './send'

/** Where there is no request to read the language of. */
const UNKNOWN = negotiate('')

/** Doubled and trailing slashes, dots for folders, backslashes: Next.js leads those to the address that is meant. */
const UNUSUAL = /\/\/|\/$|\\|\/\.{1,2}(\/|$)|%2e/i

/** Whether this is a request that the API answers without Next.js. @param foreign the APIs of others that are turned on */
export function isApiPath(url: string, foreign: readonly ForeignApi[]): boolean {
  const path = url.split('?', 1)[0] ?? ''
  return (url.startsWith('/api/') && !UNUSUAL.test(path)) || isForeignPath(path, foreign)
}

/** The API for node's own server. Call it within the request's scope. */
export function nodeApi({
  config,
  log,
  scope,
}: Pick<Runtime, 'config' | 'log' | 'scope'>): (request: IncomingMessage, response: ServerResponse) => void {
  const { host } = new URL(config.BASE_URL)
  const onFault = (error: unknown) => log.error({ err: error }, 'an answer of the API broke off')
  const answer = getRequestListener(
    async (request, { incoming, outgoing }) => {
      await send(await answerApi(request), incoming as IncomingMessage, outgoing as ServerResponse, onFault)
      return RESPONSE_ALREADY_SENT
    },
    {
      // Next.js, in the same process, has its own.
      overrideGlobalObjects: false,
      errorHandler(error) {
        const requestId = scope.getStore()?.requestId
        if (error instanceof RequestError) {
          log.info({ err: error, status: 400 }, 'api')
          return problem(new TerseError('bad_request', say('api.request.address')), UNKNOWN, { requestId })
        }
        onFault(error)
        return problem(error, UNKNOWN, { requestId })
      },
    },
  )
  return (request, response) => {
    // No address is made of what a client calls us.
    request.headers.host = host
    response.setHeader('X-Content-Type-Options', 'nosniff')
    void answer(request, response)
  }
}
