import { randomBytes } from 'node:crypto'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { atEnd } from '@/lib/testing/cleanup'
import { eventually } from '@/lib/testing/eventually'
import { json } from './problem'
import { send } from './send'

/** Asks a server that sends this response. */
async function answerOf(response: () => Response, headers: Record<string, string> = {}) {
  const faults: unknown[] = []
  const server = createServer((incoming, outgoing) => void send(response(), incoming, outgoing, (error) => faults.push(error)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => server.close())
  const { port } = server.address() as AddressInfo
  const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ port, host: '127.0.0.1', headers, agent: false }, resolve).on('error', reject)
  })
  return { incoming, faults }
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Endless pieces of 64 kB, which packing makes no smaller. */
function endless() {
  const state = { made: 0, isOver: false }
  const body = new ReadableStream({
    pull(controller) {
      state.made += 1
      controller.enqueue(randomBytes(65_536))
    },
    cancel() {
      state.isOver = true
    },
  })
  return { state, response: () => new Response(body, { headers: { 'Content-Type': 'text/csv' } }) }
}

describe('an answer', () => {
  it('that is whole is sent with its length, and each cookie in a header of its own', async () => {
    const { incoming } = await answerOf(() => {
      const response = json(201, { a: 'ä' }, { Location: '/x' })
      for (const name of ['one', 'two']) response.headers.append('Set-Cookie', `${name}=1`)
      return response
    })
    expect(incoming.statusCode).toBe(201)
    expect(incoming.headers).toMatchObject({ 'content-length': '10', location: '/x', 'set-cookie': ['one=1', 'two=1'] })
    expect((await bodyOf(incoming)).toString()).toBe('{"a":"ä"}')
  })

  it('is packed for those who take it', async () => {
    const long = { text: 'long '.repeat(1000) }
    const { incoming } = await answerOf(() => json(200, long), { 'accept-encoding': 'br, gzip;q=0.8' })
    expect(incoming.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' })
    expect(JSON.parse(gunzipSync(await bodyOf(incoming)).toString())).toEqual(long)
    for (const accepts of ['', 'br', 'gzip;q=0', 'gzip; q=0.0, br']) {
      const { incoming: plain } = await answerOf(() => json(200, long), { 'accept-encoding': accepts })
      expect(plain.headers['content-encoding'], accepts).toBeUndefined()
    }
  })

  it('that is being made waits for a client that does not read, and ends when it leaves', async () => {
    for (const packs of [false, true]) {
      const { state, response } = endless()
      const { incoming, faults } = await answerOf(response, packs ? { 'accept-encoding': 'gzip' } : {})
      incoming.pause()
      let before = -1
      await eventually(() => {
        const [last, now] = [before, state.made]
        before = now
        expect(now).toBe(last)
      }, 200)
      expect(state.made).toBeLessThan(500)
      incoming.destroy()
      await eventually(() => expect(state.isOver).toBe(true))
      expect(faults).toEqual([])
    }
  })

  it('that breaks off ends the connection, and tells the client nothing of why', async () => {
    const { incoming, faults } = await answerOf(() => {
      let pieces = 0
      const body = new ReadableStream({
        pull(controller) {
          if (pieces++ === 0) controller.enqueue(new TextEncoder().encode('first'))
          else controller.error(new Error('secret'))
        },
      })
      return new Response(body, { headers: { 'Content-Type': 'text/csv' } })
    })
    await expect(bodyOf(incoming)).rejects.toThrow('aborted')
    expect(String(faults)).toContain('secret')
  })
})
