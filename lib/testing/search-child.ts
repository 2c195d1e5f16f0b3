/**
 * A process of its own that brings links into the search index, in small blocks and with nothing between it and others at the
 * same work, until it is killed. Arguments: the address of MySQL, that of Redis.
 */
import { pino } from 'pino'
import { SqlGateway } from '@/lib/db/sql-gateway'
import { RedisGateway } from '@/lib/redis/gateway'
import { CUT, SearchIndexer } from '@/lib/search/indexer'

const [databaseUrl = '', redisUrl = ''] = process.argv.slice(2)
const redis = new RedisGateway(redisUrl)
const indexer = new SearchIndexer(new SqlGateway(databaseUrl, 2), redis, pino({ level: 'silent' }), {
  ...CUT,
  least: 5,
  most: 60,
  settle: 1_000,
})
for (;;) {
  try {
    await indexer.step()
    process.stdout.write('.')
  } catch (error) {
    process.stderr.write(`${String(error)}\n`)
  }
}
