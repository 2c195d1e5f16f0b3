import { script } from '@/lib/redis/scripts'

/** The scripts on the copies of records near an edge process. */
export const nearbyScripts = {
  find: script<[number: string, ofThisEpoch: 0 | 1, record: string | null]>('redirect/nearby', 2),
  keep: script<0 | 1>('redirect/nearbyKeep', 2),
  pass: script<0 | 1>('redirect/nearbyPass', null, 'redis/prelude-time'),
  follow: script<0 | 1>('redirect/nearbyFollow', 1, 'redis/prelude-time'),
}
