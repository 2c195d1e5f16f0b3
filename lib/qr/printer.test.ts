import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it, vi } from 'vitest'
import { accentsOf } from '@/lib/brand/theme'
import { atEnd } from '@/lib/testing/cleanup'
import { type Asker, QrPrinter } from './printer'
import type { SheetTask } from './task'

const ALICE: Asker = { client: '198.51.100.1', account: 'alice' }
const BOB: Asker = { client: '198.51.100.2', account: 'bob' }
const printer = new QrPrinter({ accents: accentsOf(undefined), mark: null })
atEnd(() => printer.close())
const task: SheetTask = {
  kind: 'sheet',
  codes: Array.from({ length: 40 }, (_, n) => ({ text: `https://example.com/${n}`, caption: '' })),
  look: printer.look({ foreground: undefined, background: '#ffffff', margin: 4, level: 'M' }, null),
  layout: { paper: 'a4', rows: 2, columns: 2, caption: 'none', cutMarks: false },
}

it('a sheet that nobody reads gives its place back in time, also when memory was collected meanwhile', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const timer = setInterval(collect, 50)
  atEnd(() => clearInterval(timer))
  const sheet = () => printer.sheet(task, ALICE, new AbortController().signal, { whole: 300, piece: 60_000 })
  const unread = await sheet()
  await unread.next()
  // One client has one place: the next one begins when the first has ended.
  const next = await sheet()
  await expect(unread.next()).rejects.toThrow()
  await next.return()
  clearInterval(timer)
})

it('a sheet whose client has gone gives its place back at once', async () => {
  const gone = new AbortController()
  const unread = await printer.sheet(task, BOB, gone.signal)
  await unread.next()
  gone.abort()
  await (await printer.sheet(task, BOB, new AbortController().signal)).return()
})

it('a sheet of which no piece is read for a while gives its place back, long before it takes too long', async () => {
  const sheet = () => printer.sheet(task, ALICE, new AbortController().signal, { whole: 300_000, piece: 300 })
  const unread = await sheet()
  async function read(pieces: AsyncGenerator<Uint8Array, void>) {
    let text = ''
    for await (const piece of pieces) text += Buffer.from(piece).toString('latin1')
    return text
  }
  const next = await sheet()
  await expect(read(unread)).rejects.toThrow('aborted')
  expect(await read(next)).toMatch(/%%EOF\s*$/)
})

describe('however many accounts a client has', () => {
  const member = (n: number): Asker => ({ client: '203.0.113.9', account: `member ${n}` })

  it('it leaves room for the sheets of others', async () => {
    const gone = new AbortController()
    const held = Array.from({ length: 8 }, (_, n) => printer.sheet(task, member(n), gone.signal).catch(() => null))
    await held[0]
    await (await printer.sheet(task, BOB, new AbortController().signal)).return()
    gone.abort()
    await Promise.all(held.map(async (sheet) => (await sheet)?.return()))
  })

  it('others wait for one of its codes, and not for all', async () => {
    const drawn = vi.fn()
    const codeOf = (asker: Asker, n: number) =>
      printer.code({ ...printer.publicTask(`https://example.com/${asker.account}/${n}`, 'png'), side: 2_000 }, asker)
    const flood = Array.from({ length: 20 }, (_, n) => codeOf(member(n), n).then(drawn))
    await codeOf(BOB, 0)
    expect(drawn.mock.calls.length).toBeLessThan(10)
    await Promise.all(flood)
  })
})
