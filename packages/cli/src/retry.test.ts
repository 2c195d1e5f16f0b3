import { expect, it } from 'vitest'
import { createClient } from './client.js'

/** A client of a server that gives these answers, one after the other, and what it was asked. */
function against(...answers: (Response | Error)[]) {
  const asked: Request[] = []
  const fetch = async (input: string | URL | Request) => {
    asked.push((input as Request).clone())
    const answer = answers.shift() ?? Response.json({ code: 'made' })
    if (answer instanceof Error) throw answer
    return answer
  }
  return {
    asked,
    client: createClient({ url: 'https://go.example.com/', key: 'terse_x', fetch: fetch as typeof globalThis.fetch }),
  }
}

const busy = (retryAfter = '0') => new Response(null, { status: 503, headers: { 'retry-after': retryAfter } })
const problem = (status: number, code: string) => Response.json({ detail: 'No.', code, status }, { status })

it('a link is created again with the same Idempotency-Key and body, so that it is created once', async () => {
  const { asked, client } = against(new TypeError('fetch failed'), busy())
  await client.links.create({ url: 'https://example.com/' })
  const keys = asked.map(({ headers }) => headers.get('idempotency-key'))
  expect(keys).toHaveLength(3)
  expect([new Set(keys).size, keys[0]]).toEqual([1, expect.stringMatching(/^[\da-f-]{36}$/)])
  expect(await Promise.all(asked.map((request) => request.text()))).toEqual(Array(3).fill('{"url":"https://example.com/"}'))
})

it('what may have had an effect is not sent again', async () => {
  const restore = against(busy())
  await expect(restore.client.links.restore('x')).rejects.toMatchObject({ status: 503 })
  const edit = against(new TypeError('fetch failed'))
  await expect(edit.client.links.edit('x', { title: '' }, { ifMatch: '"1"' })).rejects.toMatchObject({
    code: 'unreachable',
    status: 0,
  })
  expect([restore.asked.length, edit.asked.length]).toEqual([1, 1])
})

it('a delete whose answer was lost is done', async () => {
  const { client } = against(new TypeError('fetch failed'), problem(410, 'gone'))
  await client.links.delete('x')
  await expect(against(problem(410, 'gone')).client.links.delete('x')).rejects.toMatchObject({ code: 'gone' })
})

it('a delete that was only turned away before has found no link', async () => {
  const limited = () => new Response(null, { status: 429, headers: { 'retry-after': '0' } })
  const found = against(limited(), problem(404, 'not_found'))
  await expect(found.client.links.delete('no-such-link')).rejects.toMatchObject({ code: 'not_found' })
  const busy = against(new Response(null, { status: 503, headers: { 'retry-after': '0' } }), problem(410, 'gone'))
  await expect(busy.client.links.delete('x')).rejects.toMatchObject({ code: 'gone' })
})

it('a delete whose answer a server before Terse lost is done', async () => {
  const { client } = against(new Response(null, { status: 504, headers: { 'retry-after': '0' } }), problem(404, 'not_found'))
  await client.links.delete('x')
})

it('other refusals are told at once, and so is a server that asks for long patience', async () => {
  const refused = against(problem(422, 'validation_failed'))
  await expect(refused.client.links.get('x')).rejects.toMatchObject({ message: 'No.', code: 'validation_failed' })
  const later = against(busy('3600'))
  await expect(later.client.links.get('x')).rejects.toMatchObject({ retryAfter: 3600 })
  expect([refused.asked.length, later.asked.length]).toEqual([1, 1])
})

it('a try that is not answered in time ends, and a signal ends all of it', async () => {
  const fetch = (request: Request) =>
    new Promise<Response>((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)))
  const options = { url: 'https://go.example.com', fetch: fetch as typeof globalThis.fetch }
  const slow = createClient({ ...options, retries: 0, timeout: 1 })
  await expect(slow.links.get('x')).rejects.toThrow('https://go.example.com: it didn’t answer within 0.001 s')
  const stopped = createClient({ ...options, signal: AbortSignal.abort(new Error('stopped')) })
  await expect(stopped.links.get('x')).rejects.toThrow('stopped')
})

it('a list is asked for page by page, as far as it is read', async () => {
  const page = (codes: string[], nextCursor: string | null) =>
    Response.json({ links: codes.map((code) => ({ code })), nextCursor })
  const { asked, client } = against(page(['a', 'b'], '2'), page([], '3'), page(['c', 'd'], null))
  const seen: string[] = []
  for await (const { code } of client.links.list({ tag: 'x' })) {
    seen.push(code)
    if (code === 'c') break
  }
  expect(seen).toEqual(['a', 'b', 'c'])
  expect(asked.map(({ url }) => new URL(url).search)).toEqual(['?tag=x', '?tag=x&cursor=2', '?tag=x&cursor=3'])
})
