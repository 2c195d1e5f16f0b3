import { filterSettings } from '@/lib/codes/rebuild'
import { Registry } from '@/lib/codes/registry'
import { readConfig } from '@/lib/config'
import { DatabaseGateway } from '@/lib/db/gateway'
import { createLog } from '@/lib/log'
import { rebuildCodes } from '@/lib/redirect/trust'
import { RedisGateway } from '@/lib/redis/gateway'

const WIDTH = 40

/** `npm run codes:rebuild`: rebuilds the Bloom filter from MySQL while the app runs. */
async function main(): Promise<void> {
  const config = readConfig()
  const redis = new RedisGateway(config.REDIS_URL)
  const db = new DatabaseGateway(config.DATABASE_URL, 4)
  if (!(await redis.connected(3_000))) throw new Error('Redis does not answer')
  const registry = new Registry(redis, config.CODE_REUSE_AFTER)
  const stores = { redis, db, registry, settings: filterSettings(config), log: createLog('silent') }
  const { done } = await rebuildCodes(stores, showProgress, sayOnce('Another process is at work on the filter. Waiting for it.'))
  process.stdout.write(`\n${done.toLocaleString('en')} codes are in the filter.\n`)
  redis.close()
  await db.close()
}

function sayOnce(text: string): () => void {
  let said = false
  return () => {
    if (!said) console.error(text)
    said = true
  }
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
