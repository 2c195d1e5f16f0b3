import { filterSettings, rebuildFilter } from '@/lib/codes/rebuild'
import { Registry } from '@/lib/codes/registry'
import { readConfig } from '@/lib/config'
import { DatabaseGateway } from '@/lib/db/gateway'
import { RedisGateway } from '@/lib/redis/gateway'

const WIDTH = 40

/** `npm run codes:rebuild`: makes the Bloom filter anew from MySQL while the app runs. */
async function main(): Promise<void> {
  const config = readConfig()
  const redis = new RedisGateway(config.REDIS_URL)
  const db = new DatabaseGateway(config.DATABASE_URL, 4)
  if (!(await redis.connected(3_000))) throw new Error('Redis does not answer')
  const { done } = await rebuildFilter(
    redis,
    db,
    new Registry(redis, config.CODE_REUSE_AFTER),
    filterSettings(config),
    showProgress,
  )
  process.stdout.write(`\n${done.toLocaleString('en')} codes are in the filter.\n`)
  redis.close()
  await db.close()
}

function showProgress({ done, total }: { done: number; total: number }): void {
  if (!process.stdout.isTTY) return
  const share = total === 0 ? 1 : Math.min(1, done / total)
  const bar = '█'.repeat(Math.round(share * WIDTH)).padEnd(WIDTH, '░')
  process.stdout.write(
    `\r${bar} ${Math.round(share * 100)} %  ${done.toLocaleString('en')} of ${total.toLocaleString('en')} codes`,
  )
}

main().catch((error: unknown) => {
  console.error(
    `codes:rebuild: ${error instanceof Error ? error.message : String(error)}. Run it again to go on where it stopped.`,
  )
  process.exit(1)
})
