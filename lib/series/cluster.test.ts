import { beforeAll, expect, it, vi } from 'vitest'
import { keepAccount } from '@/lib/testing/accounts'
import { testCluster } from '@/lib/testing/cluster'
import { testDatabase } from '@/lib/testing/database'
import { testRuntime } from '@/lib/testing/runtime'
import { validate } from '@/lib/tools/validate'
import { drawNumbers } from './draw'
import { CreateSeries } from './schemas'
import { createSeries } from './store'

const { url } = await testDatabase()
const cluster = await testCluster()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: cluster.url })
const alice = { id: 'alice' }
beforeAll(() => keepAccount(ctx.db, 'alice'))

const keys = async (id: bigint) =>
  (await Promise.all(cluster.clients.map((client) => client.keys(`{series:${id}}:*`)))).filter((found) => found.length > 0)

it.each([
  { name: 'cycle', kind: 'cycle', max: 100_000 },
  { name: 'counter', kind: 'counter', format: { date: 'yyMMdd' } },
  { name: 'shuffled', kind: 'shuffled', format: { date: 'yyMMdd' } },
  { name: 'bitmap', kind: 'bitmap', size: 1_000_000 },
])('numbers ($kind) are drawn from one node of a Redis Cluster, and once each after it lost them', async (definition) => {
  await createSeries(ctx, alice, validate(CreateSeries, definition))
  const { id } = await ctx.db.client.series.findUniqueOrThrow({
    where: { ownerId_name: { ownerId: 'alice', name: definition.name } },
  })
  const drawn: string[] = []
  const draw = async () => drawn.push(...(await drawNumbers(ctx, alice, definition.name, 500, null)).numbers)
  await draw()
  // The connection to a node may not be there yet, and MySQL alone gives the first.
  await vi.waitFor(
    async () => {
      await draw()
      expect(await keys(id)).toHaveLength(1)
    },
    { timeout: 10_000, interval: 50 },
  )
  await Promise.all(cluster.clients.map((client) => client.flushall()))
  for (let i = 0; i < 3; i++) await draw()
  expect(await keys(id)).toHaveLength(1)
  expect(new Set(drawn).size).toBe(drawn.length)
})
