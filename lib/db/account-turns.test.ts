import { expect, it } from 'vitest'
import { keepAccount } from '@/lib/testing/accounts'
import { openGateway } from '@/lib/testing/counting'
import { testDatabase } from '@/lib/testing/database'
import { withResolvers } from '@/lib/tools/with-resolvers'

const { url } = await testDatabase()
const db = openGateway(url, 2)

it('many transactions of one account wait for each other without a connection, and hold up nobody else', async () => {
  for (const id of ['alice', 'bob']) await keepAccount(db, id)
  const { promise, resolve: end } = withResolvers<void>()
  let atOnce = 0
  const first = db.atomicOf('alice', () => promise)
  const others = Array.from({ length: 20 }, () =>
    db.atomicOf('alice', async () => {
      atOnce += 1
      expect(atOnce).toBe(1)
      atOnce -= 1
    }),
  )
  expect(await db.atomicOf('bob', async () => 'served')).toBe('served')
  const more = Array.from({ length: 81 }, () => db.atomicOf('alice', async () => {}))
  await expect(more.at(-1)).rejects.toMatchObject({ code: 'rate_limited' })
  end()
  await Promise.all([first, ...others, ...more.slice(0, -1)])
})
