import type { IncomingMessage, ServerResponse } from 'node:http'
import { readCookies, writeCookies } from '@/lib/accounts/cookies'
import type { Runtime } from '@/lib/runtime'
import { MAX_BODY } from '../body'
import { answerForm } from './answer'

type Page = (request: IncomingMessage, response: ServerResponse) => Promise<void>

/** What never holds a page. */
const NO_PAGES = /^\/(api|_next|\.well-known)\//

/** Whether this is a form that a page sent by itself, as pages do whose scripts have not come. */
export const isSentForm = ({ method, url = '/' }: IncomingMessage): boolean => method === 'POST' && !NO_PAGES.test(url)

/**
 * Answers a form that was sent without scripts: sends the browser on, or has `page` write the form's page as if it was
 * asked for, with what came of the form in the scope of the request. Call it within the request's scope.
 */
export async function sendForm(ctx: Runtime, request: IncomingMessage, response: ServerResponse, page: Page): Promise<void> {
  const body = await collect(request)
  if (body.length > MAX_BODY) response.setHeader('Connection', 'close')
  const answer = await answerForm(
    new Request(ctx.config.BASE_URL + request.url, { method: 'POST', headers: headersOf(request), body }),
  )
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value)
  for (const cookie of answer.cookies) response.appendHeader('Set-Cookie', cookie)
  if ('to' in answer) return void response.writeHead(303, { Location: answer.to, 'Cache-Control': 'no-store' }).end()
  const { client } = ctx.scope.getStore() ?? {}
  asGet(request, answer.cookies)
  if (client) await ctx.scope.run({ client, sent: answer.sent, status: answer.status }, () => page(request, response))
}

/** The body, or a little more than may be read of it: the rest is let go. */
function collect(request: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      if (size > MAX_BODY) return
      chunks.push(chunk)
      size += chunk.length
      if (size > MAX_BODY) resolve(Buffer.concat(chunks))
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('error', reject)
    request.on('close', () => reject(new Error('the client left before its form had come')))
  })
}

function headersOf({ headers }: IncomingMessage): Headers {
  const copied = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string') copied.set(name, value)
  }
  return copied
}

/** The request as one for its page, by who is signed in now. */
function asGet(request: IncomingMessage, cookies: readonly string[]): void {
  request.method = 'GET'
  for (const name of ['content-length', 'content-type', 'transfer-encoding']) delete request.headers[name]
  const jar = readCookies(request.headers.cookie ?? null)
  for (const cookie of cookies) {
    for (const [name, value] of readCookies(cookie.split(';', 1)[0] ?? '')) jar.set(name, value)
  }
  request.headers.cookie = writeCookies(jar)
}

/** Has pages be sent with the status of their scope. One that turned out otherwise, as by leading elsewhere, keeps its own. */
export function withScopeStatus({ scope }: Pick<Runtime, 'scope'>, response: ServerResponse): void {
  const store = scope.getStore()
  const writeHead = response.writeHead.bind(response) as (status: number, ...rest: unknown[]) => ServerResponse
  response.writeHead = (own: number, ...rest: unknown[]) => writeHead(own === 200 ? (store?.status ?? own) : own, ...rest)
}
