import { script } from '@/lib/redis/scripts'

export type FilterReply = [
  implementation: '' | 'native' | 'bitmap',
  trusted: 0 | 1,
  capacity: number,
  errorRate: string,
  bits: number,
  hashes: number,
  looked: number,
  set: number,
  added: number,
  freed: number,
]

/** Of the first code, and then of each. */
type LookupReply = [trusted: 0 | 1, record: string | null, mayExist: 0 | 1, ...of_each: (0 | 1 | string | null)[]]

const FILTER = ['redis/prelude-server', 'codes/prelude-filter']
const CHANGES = ['redis/prelude-time', 'codes/prelude-changes']

/** The scripts on the filters, records and freed codes of shards. */
export const codeScripts = {
  lookup: script<LookupReply>('codes/lookup', null, ...FILTER),
  fill: script<number>('codes/fill', null, ...FILTER),
  claim: script<[number: string | null, ...answers: (2 | 1 | 0 | -1)[]]>('codes/claim', 6, ...FILTER, 'codes/prelude-add'),
  publish: script<0 | 1>('codes/publish', 7, ...FILTER, 'codes/prelude-add', ...CHANGES),
  forget: script<0 | 1>('codes/forget', 2, ...CHANGES),
  announce: script<number>('codes/announce', null, ...CHANGES),
  beat: script<[server: string, verdict: 'ok' | 'missing' | 'doubtful' | 'replica', lastBeat: string | null, complete: 0 | 1]>(
    'codes/beat',
    2,
    ...FILTER,
    'redis/prelude-time',
  ),
  trust: script<0 | 1>('codes/trust', 3, ...FILTER, ...CHANGES, 'redis/prelude-believe'),
  reserve: script<0 | 1>('codes/reserve', 2, ...FILTER),
  reserved: script<0 | 1>('codes/reserved', 2, ...FILTER),
  add: script<number>('codes/add', 3, ...FILTER, 'codes/prelude-add'),
  merge: script<0 | 1>('codes/merge', 3, ...FILTER),
  swap: script<0 | 1>('codes/swap', 4, ...FILTER, 'redis/prelude-believe'),
  filter: script<FilterReply>('codes/filter', 3, ...FILTER),
  prune: script<number>('codes/prune', 1),
}
