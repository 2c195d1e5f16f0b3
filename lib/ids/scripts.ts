import { script } from '@/lib/redis/scripts'

export type ReferenceReply =
  | ['given', pool: string, number: string, before: number]
  | ['elsewhere', pool: string, digits: number, given: number]
  | ['over', pool: string, digits: number]
  | ['none', pool: string]

const SERVER = 'redis/prelude-server'
const WHOLE = [SERVER, 'ids/prelude-whole']

/** The scripts that give numbers, and tell Redis of those that MySQL has. */
export const idScripts = {
  isWhole: script<0 | 1>('ids/isWhole', 1, ...WHOLE),
  resync: script<string>('ids/resync', 1, SERVER),
  resynced: script<0 | 1>('ids/resynced', 1, SERVER, 'redis/prelude-believe'),
  bitmap: script<[isTaken: 0 | 1, used: number, ...rest: number[]] | null>('ids/bitmap', null, SERVER),
  bitmapBack: script<0 | 1>('ids/bitmapBack', null, ...WHOLE),
  bitmapAdd: script<0 | 1>('ids/bitmapAdd', null),
  cycle: script<[isGiven: 0 | 1, free: number, ...rest: number[]] | null>('ids/cycle', 3, SERVER),
  cycleAdd: script<0 | 1>('ids/cycleAdd', 3),
  reference: script<ReferenceReply>('ids/reference', 3, SERVER),
  pool: script<0 | 1>('ids/pool', null, SERVER, 'redis/prelude-believe'),
  counter: script<number | null>('ids/counter', 2, ...WHOLE),
  counterRaise: script<number>('ids/counterRaise', 1),
}
