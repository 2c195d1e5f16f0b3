/**
 * A process of its own that issues so many handles and writes them to its standard output, 4 bytes each.
 * Arguments: the address of Redis, that of MySQL, how many.
 */
import { DatabaseGateway } from '@/lib/db/gateway'
import { Handles } from '@/lib/ids/handles'
import { type RedisClient, RedisGateway } from '@/lib/redis/gateway'

/** As PatientRedis, which needs vitest. */
class PatientGateway extends RedisGateway {
  override use<T>(work: (client: RedisClient) => Promise<T>): Promise<T> {
    return super.use(work, 30_000)
  }
}

const [redisUrl = '', databaseUrl = '', count = ''] = process.argv.slice(2)
const redis = new PatientGateway(redisUrl)
const db = new DatabaseGateway(databaseUrl, 1)
const handles = new Handles(redis, db, 0)
if (!(await redis.connected(10_000))) throw new Error('Redis does not answer')
const given = Buffer.alloc(Number(count) * 4)
let begun = 0
const issueSome = async () => {
  for (let i = begun++; i < Number(count); i = begun++) given.writeUInt32LE(Number((await handles.issue()).handle), i * 4)
}
await Promise.all(Array.from({ length: 200 }, issueSome))
// One that was drawn without Redis is still to be told to Redis.
if (await handles.isStale()) throw new Error('a handle was given without Redis')
await new Promise((resolve) => process.stdout.write(given, resolve))
redis.close()
await db.close()
