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
  handle: script<[handle: number, wrapped: 0 | 1] | null>('ids/handle', 10, SERVER),
  handleBack: script<0 | 1>('ids/handleBack', 10, ...WHOLE),
  handleAdd: script<0 | 1>('ids/handleAdd', 10),
  spoken: script<[position: number, freeAt: number] | null>('ids/spoken', 3, SERVER),
  spokenAdd: script<0 | 1>('ids/spokenAdd', 3),
  reference: script<ReferenceReply>('ids/reference', 3, SERVER),
  pool: script<0 | 1>('ids/pool', null, SERVER, 'redis/prelude-believe'),
  job: script<number | null>('ids/job', 2, ...WHOLE),
  jobRaise: script<number>('ids/jobRaise', 1),
}
