import { script } from '@/lib/redis/scripts'

/** The scripts on the streams of clicks. */
export const clickScripts = {
  backlog: script<[entries: number, bytes: number, dead: number, oldest: number]>('clicks/backlog', 2),
  acknowledge: script<number>('clicks/acknowledge', 2),
}
