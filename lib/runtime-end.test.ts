import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { createRuntime } from '@/lib/runtime'
import { testDatabase } from '@/lib/testing/database'
import { eventually } from '@/lib/testing/eventually'
import { testRedis } from '@/lib/testing/redis'
import { testConfig } from '@/lib/testing/runtime'

const { url } = await testDatabase()
const redis = await testRedis()

/** A runtime that has been at work and is closed, where only what forgot to let go of it holds it. */
async function endedRuntime() {
  const runtime = await createRuntime(testConfig({ DATABASE_URL: url, REDIS_URL: redis.url }))
  await runtime.auth()
  await runtime.close()
  return new WeakRef(runtime)
}

it('a runtime that is closed is held by nothing', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const ended = await endedRuntime()
  await eventually(() => {
    collect()
    expect(ended.deref() === undefined).toBe(true)
  })
})
