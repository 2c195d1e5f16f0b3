import { beforeEach } from 'vitest'
import { Registry } from '@/lib/codes/registry'
import { CodeReconciler } from '@/lib/redirect/code-reconciler'
import { openGateway } from './counting'
import { testDatabase } from './database'
import { SMALL_FILTER } from './filter'
import { SILENT } from './links'
import { openRedis, testRedis } from './redis'

/** A reconciler of a small filter, with servers that are empty before each test. Call it at the top level. */
export async function testReconciler() {
  const server = await testRedis()
  const redis = await openRedis(server.url)
  const registry = new Registry(redis, 90_000)
  const { url } = await testDatabase()
  const db = openGateway(url, 4)
  beforeEach(async () => {
    await redis.client.flushall()
    await db.client.link.deleteMany()
    await db.client.deletedLink.deleteMany()
  })
  /** As another process has it. */
  const openReconciler = (given: Partial<ConstructorParameters<typeof CodeReconciler>[0]> = {}) =>
    new CodeReconciler({ redis, db, registry, settings: SMALL_FILTER, log: SILENT, ...given })
  return { server, redis, registry, url, db, reconciler: openReconciler(), openReconciler }
}
