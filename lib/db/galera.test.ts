import { expect, test } from 'vitest'
import { connectTo, emptyDatabase } from '@/lib/testing/database'
import { MigrationTurn } from './galera'

const url = await emptyDatabase()
const control = await connectTo(url)
/** MySQL has no such variable, and no Galera. */
const [known] = await control.query<unknown[]>("SHOW VARIABLES LIKE 'wsrep_sync_wait'")

test.skipIf(!known)('who can no longer say that it migrates ends before another takes over', { timeout: 60_000 }, async () => {
  const events: string[] = []
  const connection = await connectTo(url)
  const lost = new MigrationTurn(connection, () => events.push('lost'))
  await lost.take(1_000)
  const next = new MigrationTurn(await connectTo(url), () => events.push('lost the next'))
  const taken = next.take(30_000).then(() => events.push('taken'))
  await control.query(`KILL ${connection.threadId}`)
  await taken
  expect(events).toEqual(['lost', 'taken'])
  await lost.end()
  await next.end()
  expect(await control.query('SELECT * FROM _terse_migrating')).toEqual([])
  await control.end()
})
