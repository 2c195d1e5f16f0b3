import { expect, it } from 'vitest'
import { migrationNames } from '@/lib/db/migrate'
import { tablesMadeBy } from '@/lib/db/migration-texts'
import { testDatabase } from '@/lib/testing/database'
import { ensureTools } from '@/scripts/lib/tools.mjs'
import { dumpRows } from './dump'
import type { Part } from './file'
import { statements } from './statements'
import { tablesOf } from './tables'

const { url, connection } = await testDatabase()
const { dump } = await ensureTools(['dump'])

it('what the program of the engine writes of rows is taken, whatever texts they hold', async () => {
  const odd = 'quotes \' " ` back\\slash, emoji 🦊, line\nbreak, \u2028 and a null \0 and ); DROP TABLE x; --'
  const rule = "INSERT INTO BlockRule (id, kind, value, createdBy, createdAt) VALUES (?, 'host', ?, '', NOW(3))"
  for (const id of [1, 2]) await connection.query(rule, [id, `${id} ${odd}`])
  await connection.query('INSERT INTO FreedHandle (handle, freedAt) VALUES (12345678, NOW(3))')
  async function* parts(): AsyncGenerator<Part> {
    const chunks: Buffer[] = []
    for await (const chunk of dumpRows(dump ?? '', url, await tablesOf(connection))) chunks.push(chunk)
    for (const sql of Buffer.concat(chunks).toString().split('\n')) yield { sql }
  }
  const taken: string[] = []
  for await (const part of statements(parts(), tablesMadeBy(migrationNames()))) if ('sql' in part) taken.push(part.sql)
  expect(taken.filter((sql) => /^INSERT INTO `(BlockRule|FreedHandle)`/.test(sql))).toHaveLength(2)
})
