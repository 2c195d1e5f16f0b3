import { beforeEach, describe, expect, it } from 'vitest'
import { DatabaseGateway } from '@/lib/db/gateway'
import { atEnd } from '@/lib/testing/cleanup'
import { testDatabase } from '@/lib/testing/database'
import { SILENT } from '@/lib/testing/links'
import { Blocklist } from './blocklist'

const { url, connection } = await testDatabase()
const db = new DatabaseGateway(url, 2)
atEnd(() => db.close())
beforeEach(() => connection.query('DELETE FROM BlockRule'))

const hostOf = (id: number) => `rule-${id}.example`
const add = async (...ids: number[]) => {
  for (const id of ids) {
    const row = [id, 'host', hostOf(id), '', new Date()]
    await connection.query('INSERT INTO BlockRule (id, kind, value, createdBy, createdAt) VALUES (?)', [row])
  }
}
const blocked = (list: Blocklist, ids: number[]) => ids.filter((id) => list.isBlocked({ url: `https://${hostOf(id)}/` }))

describe('the rules in memory', () => {
  it('have every rule that was there when they were read, whose id came late too, while others are added', async () => {
    // What another adds after the rules were counted, and before they are read.
    let meanwhile = async () => {}
    const rows: DatabaseGateway['rows'] = async (sql, ...values) => {
      if (sql.includes('WHERE id >')) await meanwhile()
      return db.rows(sql, ...values)
    }
    const list = new Blocklist({ rows }, SILENT)
    await add(10)
    await list.refresh()
    await add(9)
    meanwhile = async () => {
      meanwhile = async () => {}
      await add(11)
    }
    await list.refresh()
    expect(blocked(list, [9, 10])).toEqual([9, 10])
    await list.refresh()
    expect(blocked(list, [9, 10, 11])).toEqual([9, 10, 11])
  })

  it('are read again for rules whose ids are nothing together', async () => {
    const list = new Blocklist(db, SILENT)
    await add(1)
    await list.refresh()
    await add(4, 5, 6, 7)
    await list.refresh()
    expect(blocked(list, [1, 4, 5, 6, 7])).toEqual([1, 4, 5, 6, 7])
  })

  it('lose those that were removed, and only those', async () => {
    const list = new Blocklist(db, SILENT)
    await add(1, 2, 3)
    await list.refresh()
    await connection.query('DELETE FROM BlockRule WHERE id = 2')
    await add(4)
    await list.refresh()
    expect(blocked(list, [1, 2, 3, 4])).toEqual([1, 3, 4])
  })
})
