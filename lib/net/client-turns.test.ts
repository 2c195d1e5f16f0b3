import { expect, it } from 'vitest'
import { ClientTurns } from './client-turns'

it('a client with 100 requests that wait is told to come again, and no other is', async () => {
  const turns = new ClientTurns()
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const all = Array.from({ length: 101 }, () => turns.run('one', () => held))
  await expect(turns.run('one', async () => 'served')).rejects.toMatchObject({
    code: 'rate_limited',
    status: 429,
    retryAfter: 1,
  })
  await expect(turns.run('other', async () => 'served')).resolves.toBe('served')
  letGo()
  await Promise.all(all)
  await expect(turns.run('one', async () => 'served')).resolves.toBe('served')
})
