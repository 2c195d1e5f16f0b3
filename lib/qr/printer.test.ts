import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { accentsOf } from '@/lib/brand/theme'
import { atEnd } from '@/lib/testing/cleanup'
import { QrPrinter } from './printer'
import type { SheetTask } from './task'

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
  const sheet = () => printer.sheet(task, 'alice', new AbortController().signal, 300)
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
  const unread = await printer.sheet(task, 'bob', gone.signal)
  await unread.next()
  gone.abort()
  await (await printer.sheet(task, 'bob', new AbortController().signal)).return()
})
