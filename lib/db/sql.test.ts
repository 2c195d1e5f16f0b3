import { expect, it } from 'vitest'
import { openGateway } from '@/lib/testing/counting'
import { testDatabase } from '@/lib/testing/database'

const { url, connection } = await testDatabase()
const db = openGateway(url, 1)
const stored = async () =>
  (await connection.query<{ linkId: bigint }[]>('SELECT linkId FROM ClickPurge')).map(({ linkId }) => linkId)

it('of what was sent behind a statement that ended the transaction, as a deadlock does, nothing is stored', async () => {
  const ended = db.transaction(async (tx) => {
    await Promise.all([tx.run('ROLLBACK', []), tx.run('INSERT INTO ClickPurge VALUES (1)', [])])
    throw new Error('a deadlock')
  })
  await expect(ended).rejects.toThrow('a deadlock')
  await db.transaction((tx) => tx.run('INSERT INTO ClickPurge VALUES (2)', []))
  // On the same connection as the transaction: committed by itself again.
  await db.change('INSERT INTO ClickPurge VALUES (3)')
  expect(await stored()).toEqual([2n, 3n])
})
