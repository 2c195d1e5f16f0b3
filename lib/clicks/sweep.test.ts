import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { retryTransaction } from '@/lib/db/errors'
import { DatabaseGateway } from '@/lib/db/gateway'
import { nextId } from '@/lib/db/id'
import { PIECE } from '@/lib/db/pieces'
import { atEnd } from '@/lib/testing/cleanup'
import { keepClicks } from '@/lib/testing/clicks'
import { storedClick } from '@/lib/testing/counting'
import { connectTo, testDatabase } from '@/lib/testing/database'
import { firstClickIdAt } from './click-id'
import { SharedFacts } from './shared-facts'
import { purgeClicks, sweepOldClicks } from './sweep'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 10, 21, 12)

const { url, connection } = await testDatabase()
const db = new DatabaseGateway(url, 4)
atEnd(() => db.close())

/** The gateway, noting how many rows each DELETE took. */
function noting() {
  const sizes: number[] = []
  return {
    sizes,
    rows: db.rows.bind(db) as DatabaseGateway['rows'],
    async change(sql: string, ...values: unknown[]) {
      const count = await db.change(sql, ...values)
      sizes.push(count)
      return count
    },
  }
}

const count = async (table: string, linkId?: bigint) => {
  const where = linkId === undefined ? '' : `WHERE linkId = ${linkId}`
  const [row] = await connection.query<{ n: bigint }[]>(`SELECT COUNT(*) AS n FROM ${table} ${where}`)
  return Number(row?.n)
}

const clicksAt = (times: number[]) => times.map((at, visitor) => ({ at, visitor, country: 'DE' }))

async function addVisitors(linkId: bigint, days: number[]) {
  const rows = days.map((day) => [linkId, day, randomBytes(8)])
  await connection.batch('INSERT INTO ClickVisitor (linkId, day, visitor) VALUES (?, ?, ?)', rows)
}

describe('sweepOldClicks', () => {
  it('deletes single clicks of past days in small pieces, keeps the younger and all counts', async () => {
    const link = nextId()
    const firstKept = Date.UTC(2026, 10, 11)
    const old = Array.from({ length: 2 * PIECE + 5 }, (_, index) => firstKept - 1 - index)
    await keepClicks(connection, link, clicksAt([...old, firstKept, NOW]))
    const counts = await count('ClickRollup', link)
    const gateway = noting()
    await sweepOldClicks(gateway, NOW, 10)
    expect(await count('SingleClick', link)).toBe(2)
    expect(await count('ClickRollup', link)).toBe(counts)
    expect(Math.max(...gateway.sizes)).toBe(PIECE)
    // And the note that there were some on that day.
    expect(gateway.sizes.reduce((sum, size) => sum + size, 0)).toBe(old.length + 1)
    expect(await count('ClickDay', link)).toBe(2)
  })

  it('deletes what clicks shared once no click can name it any more, and nothing before', async () => {
    const stored = async (text: string, ...ages: number[]) => {
      const click = storedClick(nextId(), { referrerUrl: text, userAgent: text, city: text })
      // As two processes, of which each remembers what it has stored.
      for (const age of ages) await new SharedFacts().store(db, [click], NOW - age * DAY)
    }
    await stored('long ago', 12)
    await stored('now and then', 12, 3)
    await stored('at last', 11)
    await sweepOldClicks(db, NOW, 10)
    for (const [table, column] of [
      ['ClickSource', 'referrerUrl'],
      ['ClickAgent', 'userAgent'],
      ['ClickPlace', 'city'],
    ]) {
      const rows = await connection.query<{ text: string }[]>(
        `SELECT ${column} AS text FROM ${table} WHERE ${column} IN ('long ago', 'now and then', 'at last') ORDER BY ${column}`,
      )
      expect(rows.map(({ text }) => text)).toEqual(['at last', 'now and then'])
    }
  })

  it('forgets visitors and batches only once no click of their day can come any more', async () => {
    const today = Math.floor(NOW / DAY)
    const link = nextId()
    await addVisitors(link, [today, today - 32, today - 33, today - 400])
    const batch = (at: number) => Buffer.concat([Buffer.from(at.toString(16).padStart(12, '0'), 'hex'), randomBytes(10)])
    const ids = [NOW, NOW - 31 * DAY, NOW - 31 * DAY - 1, 1].map(batch)
    await connection.batch(
      'INSERT INTO ClickBatch (id) VALUES (?)',
      ids.map((id) => [id]),
    )
    await sweepOldClicks(db, NOW, 365)
    expect(await connection.query('SELECT day FROM ClickVisitor WHERE linkId = ? ORDER BY day', [link])).toEqual([
      { day: today - 32 },
      { day: today },
    ])
    const left = await connection.query<{ id: Buffer }[]>('SELECT id FROM ClickBatch ORDER BY id DESC')
    expect(left.map(({ id }) => id)).toEqual(ids.slice(0, 2))
  })
})

describe('purgeClicks', () => {
  it('deletes all that is left of a link in small pieces, and nothing of others', async () => {
    const [gone, other] = [nextId(), nextId()]
    const times = Array.from({ length: PIECE + 500 }, (_, index) => NOW - index * 60_000)
    for (const link of [gone, other]) {
      await keepClicks(connection, link, clicksAt(times))
      await addVisitors(link, [1, 2, 3])
    }
    const before = await count('ClickRollup', other)
    await connection.query('INSERT INTO ClickPurge VALUES (?)', [gone])
    const gateway = noting()
    await purgeClicks(gateway)
    expect(Math.max(...gateway.sizes)).toBe(PIECE)
    await purgeClicks(db)
    for (const table of ['SingleClick', 'ClickRollup', 'ClickVisitor', 'ClickPurge']) expect(await count(table, gone)).toBe(0)
    expect([await count('SingleClick', other), await count('ClickRollup', other)]).toEqual([times.length, before])
    expect(await count('ClickVisitor', other)).toBe(3)
  })

  it('deletes what is written while it runs, and neither side fails', async () => {
    const gone = nextId()
    await keepClicks(connection, gone, clicksAt([NOW]))
    await connection.query('INSERT INTO ClickPurge VALUES (?)', [gone])
    const writer = await connectTo(url)
    let writing = true
    const write = async () => {
      for (let hour = 0; hour < 60; hour++) {
        const at = NOW - hour * 3_600_000
        await retryTransaction(() => keepClicks(writer, gone, clicksAt([at, at + 1])))
      }
    }
    const writes = write().finally(() => {
      writing = false
    })
    // Rounds as the sweeper makes them, faster than it ever does.
    while (writing) await purgeClicks(db)
    await writes
    await connection.query('INSERT IGNORE INTO ClickPurge VALUES (?)', [gone])
    await purgeClicks(db)
    await purgeClicks(db)
    for (const table of ['SingleClick', 'ClickRollup', 'ClickPurge']) expect(await count(table, gone)).toBe(0)
    await writer.end()
  })

  it('waits for a batch that is being written when it begins', async () => {
    const gone = nextId()
    await connection.query('INSERT INTO ClickPurge VALUES (?)', [gone])
    const writer = await connectTo(url)
    await writer.beginTransaction()
    await keepClicks(writer, gone, clicksAt([NOW]))
    const purge = purgeClicks(db)
    await writer.commit()
    await purge
    await purgeClicks(db)
    for (const table of ['SingleClick', 'ClickRollup', 'ClickPurge']) expect(await count(table, gone)).toBe(0)
    await writer.end()
  })
})

it('deleting a day of clicks reads what that day holds, and not what its links have of other days', async () => {
  // MariaDB reads a list of a thousand values another way than a shorter one.
  const links = Array.from({ length: PIECE + 200 }, nextId)
  const first = Math.floor(NOW / DAY) - 120
  for (const table of ['SingleClick', 'ClickDay']) await connection.query(`DELETE FROM ${table}`)
  for (const linkId of links) {
    const days = Array.from({ length: 20 }, (_, i) => first + i)
    await connection.batch(
      'INSERT INTO SingleClick (linkId, id, visitor, kind, agentId, sourceId, placeId) VALUES (?, ?, ?, 0, 1, 1, 1)',
      days.map((day) => [linkId, firstClickIdAt(day * DAY), Buffer.alloc(8)]),
    )
    await connection.batch(
      'INSERT INTO ClickDay (day, linkId) VALUES (?, ?)',
      days.map((day) => [day, linkId]),
    )
  }
  await connection.query('ANALYZE TABLE SingleClick, ClickDay')
  const reads = async () => {
    const rows = await connection.query<{ Value: string }[]>("SHOW SESSION STATUS LIKE 'Handler_read%'")
    return rows.reduce((sum, { Value }) => sum + Number(Value), 0)
  }
  const sweeping = {
    rows: <Row>(sql: string, ...values: unknown[]) => connection.query<Row[]>(sql, values),
    change: async (sql: string, ...values: unknown[]) =>
      Number((await connection.query<{ affectedRows: number }>(sql, values)).affectedRows),
  }
  const before = await reads()
  await sweepOldClicks(sweeping, (first + 1) * DAY, 0)
  expect((await reads()) - before).toBeLessThan(10 * links.length)
  expect([await count('SingleClick'), await count('ClickDay')]).toEqual([19 * links.length, 19 * links.length])
})
