import { beforeAll, describe, expect, it } from 'vitest'
import { testDatabase } from '@/lib/testing/database'
import { testRedis } from '@/lib/testing/redis'
import { settled, testRuntime } from '@/lib/testing/runtime'
import { PROBES } from './probes'

const { url, connection } = await testDatabase()
const server = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: server.url })
beforeAll(() => settled(ctx))

const ready = (inside: boolean) => PROBES['/readyz']?.(ctx, inside)

describe('whether it is ready', () => {
  it('is told to strangers without asking MySQL for each of them', async () => {
    const selects = async () => {
      const [row] = await connection.query<{ Value: string }[]>("SHOW GLOBAL STATUS LIKE 'Com_select'")
      return Number(row?.Value)
    }
    const before = await selects()
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => ready(false)))
    expect(new Set(answers.map((answer) => answer?.body))).toEqual(new Set(['{"status":"ok"}\n']))
    expect((await selects()) - before).toBeLessThan(500)
  })

  it('is told to insiders with the state of each dependency, as it is now', async () => {
    expect(JSON.parse((await ready(true))?.body ?? '')).toMatchObject({ status: 'ok', dependencies: { redis: { up: true } } })
  })
})
