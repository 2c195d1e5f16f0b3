import { Redis } from 'ioredis'
import type { Connection } from 'mariadb'
import { infoRow, notes, type Row } from '../report'
import type { KeptStock } from './stock'

const MB = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`

/** What MySQL and Redis hold. */
export async function holdings(server: Connection, stock: KeptStock): Promise<Row[]> {
  const sizes: { name: string; data: bigint; indexes: bigint }[] = await server.query(
    'SELECT TABLE_NAME AS name, DATA_LENGTH AS data, INDEX_LENGTH AS indexes FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? ORDER BY DATA_LENGTH + INDEX_LENGTH DESC',
    [stock.database],
  )
  const indexes: { name: string; index: string; bytes: bigint }[] = await server
    .query(
      `SELECT table_name AS name, index_name AS \`index\`, stat_value * @@innodb_page_size AS bytes FROM mysql.innodb_index_stats
     WHERE database_name = ? AND stat_name = 'size' AND table_name IN ('Link', 'ClickRollup') ORDER BY bytes DESC`,
      [stock.database],
    )
    .catch(() => [])
  const redis = new Redis(stock.settings.REDIS_URL ?? '')
  const info = await redis.info('memory')
  const filter = await Promise.all(
    Array.from({ length: 16 }, (_, i) => redis.strlen(`{codes:${String(i).padStart(2, '0')}}:bloom`)),
  )
  redis.disconnect()
  const used = Number(/^used_memory:(\d+)/m.exec(info)?.[1])
  const filterBytes = filter.reduce((sum, bytes) => sum + bytes, 0)
  const [links] = sizes.filter(({ name }) => name === 'Link')
  const each = (bytes: bigint | number) => `${(Number(bytes) / stock.count).toFixed(0)} bytes a link`
  return [
    infoRow(
      'MySQL: links',
      each((links?.data ?? 0n) + (links?.indexes ?? 0n)),
      notes(
        ...indexes
          .filter(({ name }) => name === 'Link')
          .map(({ index, bytes }) => `${index} ${(Number(bytes) / stock.count).toFixed(0)}`),
      ),
      { sizes, indexes },
    ),
    ...sizes
      .filter(({ name }) => name === 'ClickRollup')
      .map(({ data, indexes: more }) => infoRow('MySQL: rollups', each(data + more), MB(Number(data + more)), { data, more })),
    infoRow('Redis: the filter', each(filterBytes), MB(filterBytes), { filter }),
    infoRow('Redis: all it holds now', MB(used), '', { used }),
  ]
}
