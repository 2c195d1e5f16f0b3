import { SpokenCodes } from '@/lib/ids/spoken'
import { HOST } from './links'
import { openRedis } from './redis'
import { SECRET, settled, testRuntime } from './runtime'

/**
 * Two processes on the servers of `settings`, of which the first gives spoken codes; on a busy machine too, its numbers come from
 * Redis and not from chance. Wait for `ready` before the first test.
 */
export async function spokenRuntimes(settings: { DATABASE_URL: string; REDIS_URL: string } & Record<string, string>) {
  const [runtime, other] = [await testRuntime(settings), await testRuntime(settings)]
  const spoken = new SpokenCodes(await openRedis(settings.REDIS_URL), runtime.db, SECRET, runtime.config.SPOKEN_GRACE, HOST)
  const ready = async () => {
    await settled(runtime, other)
    await spoken.resync()
  }
  return { ctx: { ...runtime, ids: { ...runtime.ids, spoken } }, other, spoken, ready }
}
