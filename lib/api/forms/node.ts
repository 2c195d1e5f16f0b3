import type { IncomingMessage, ServerResponse } from 'node:http'
import { readCookies, writeCookies } from '@/lib/accounts/cookies'
import type { Runtime } from '@/lib/runtime'
import { MAX_BODY } from '../body'
import { answerForm, type FormAnswer } from './answer'
import { type FileForm, isFileForm, letGo, readFileForm } from './file-form'

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
  const answer = isFileForm(request) ? await answerFileForm(ctx, request) : await answerFields(ctx, request, response)
  if (answer === null) return void response.destroy()
  for (const [name, value] of Object.entries(answer.headers)) response.setHeader(name, value)
  for (const cookie of answer.cookies) response.appendHeader('Set-Cookie', cookie)
  if ('to' in answer) return void response.writeHead(303, { Location: answer.to, 'Cache-Control': 'no-store' }).end()
  const scope = ctx.scope.getStore()
  asGet(request, answer.cookies)
  if (scope) await ctx.scope.run({ ...scope, sent: answer.sent, status: answer.status }, () => page(request, response))
}

/** null when the client left before it had come. */
async function answerFields(ctx: Runtime, request: IncomingMessage, response: ServerResponse): Promise<FormAnswer | null> {
  const body = await collect(request)
  if (body === null) return null
  if (body.length > MAX_BODY) response.setHeader('Connection', 'close')
  const sent = { method: 'POST', headers: headersOf(request), body }
  return answerForm(new Request(ctx.config.BASE_URL + request.url, sent))
}

/** The same of a form with a file, which is read as it comes. */
async function answerFileForm(ctx: Runtime, request: IncomingMessage): Promise<FormAnswer | null> {
  const sent = { method: 'POST', headers: headersOf(request) }
  let form: FileForm | null = null
  const read = async () => {
    form = await readFileForm(request)
    return form
  }
  const answer = await answerForm(new Request(ctx.config.BASE_URL + request.url, sent), read)
  await letGo(request, form)
  return request.destroyed && !request.complete ? null : answer
}

/** The body, or a little more than may be read of it: the rest is let go. null when the client left before it had come. */
function collect(request: IncomingMessage): Promise<Buffer<ArrayBuffer> | null> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      if (size > MAX_BODY) return
      chunks.push(chunk)
      size += chunk.length
      if (size > MAX_BODY) resolve(Buffer.concat(chunks))
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    for (const end of ['error', 'close']) request.on(end, () => resolve(null))
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
