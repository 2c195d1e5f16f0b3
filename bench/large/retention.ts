import type { Connection } from 'mariadb'
import { firstClickIdAt } from '@/lib/clicks/click-id'
import { sweepOldClicks } from '@/lib/clicks/sweep'
import { migrate } from '@/lib/db/migrate'
import { SqlGateway } from '@/lib/db/sql-gateway'
import { DAY, HOUR } from '@/lib/tools/time'
import { median } from '../measure'
import { infoRow, notes, number, type Row } from '../report'
import { NUMBERS } from '../seed'
import { connect, onServer } from '../world'

const DATABASE = 'terse_bench_retention'
/** Links, each with so many clicks on every day. */
const LINKS = 5_000
const EACH = 5
/** Days of the long table, and of the short one. */
const MANY = 90
const FEW = 3
const ASKED = 200

/**
 * What it costs to delete the single clicks of one day: among many days and among few, and what it would cost with a partition for
 * each day; beside it, what such partitions cost to who reads and writes.
 */
export async function retention(): Promise<Row[]> {
  const server = await connect()
  const url = onServer('DATABASE_URL', DATABASE)
  await server.query(`DROP DATABASE IF EXISTS ${DATABASE}`)
  await server.query(`CREATE DATABASE ${DATABASE} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`)
  await server.query(`USE ${DATABASE}`)
  const db = new SqlGateway(url, 4)
  try {
    await migrate(url)
    const today = Math.floor(Date.now() / DAY)
    const long = await sweep(server, db, today, MANY)
    const plain = await others(server, today, 0)
    await server.query(
      `ALTER TABLE SingleClick PARTITION BY RANGE (id) (${Array.from({ length: MANY + 1 }, (_, i) => {
        const day = today - MANY + i
        return `PARTITION p${day} VALUES LESS THAN (${firstClickIdAt((day + 1) * DAY)})`
      }).join()})`,
    )
    const parted = await others(server, today, ASKED)
    const drop = await timed(() => server.query(`ALTER TABLE SingleClick DROP PARTITION p${today - MANY + 1}`))
    const short = await sweep(server, db, today, FEW)
    const clicks = number(LINKS * EACH)
    const said = ({ ms, reads }: Swept) => `${(ms / 1000).toFixed(1)} s, ${number(reads)} rows read`
    return [
      infoRow(`a day of ${clicks} clicks deleted, of ${MANY} days`, said(long), `of ${FEW} days: ${said(short)}`, {
        long,
        short,
      }),
      infoRow(`the same as a partition dropped, of ${MANY}`, `${drop.toFixed(0)} ms`, '', { drop }),
      ...(['newest', 'month', 'insert'] as const).map((what) =>
        infoRow(
          {
            newest: 'newest 50 clicks of a link',
            month: 'clicks of a link in 30 days, counted',
            insert: '1,000 clicks of 1,000 links inserted',
          }[what],
          `${plain[what].toFixed(2)} ms`,
          notes(`with ${MANY} partitions ${parted[what].toFixed(2)} ms`),
          { plain: plain[what], parted: parted[what] },
        ),
      ),
    ]
  } finally {
    await db.close()
    await server.query(`DROP DATABASE ${DATABASE}`)
    await server.end()
  }
}

interface Swept {
  ms: number
  reads: number
}

/** Makes a table of so many days, and has the oldest of them swept. */
async function sweep(server: Connection, db: SqlGateway, today: number, days: number): Promise<Swept> {
  await server.query('DROP TABLE SingleClick')
  await server.query(
    `CREATE TABLE SingleClick (linkId BIGINT NOT NULL, id BIGINT NOT NULL, visitor BINARY(8) NOT NULL, kind TINYINT NOT NULL, agentId INTEGER NOT NULL,
       sourceId INTEGER NOT NULL, placeId INTEGER NOT NULL, PRIMARY KEY (linkId, id)) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`,
  )
  await server.query('DELETE FROM ClickDay')
  const day = firstClickIdAt(DAY) - firstClickIdAt(0)
  const first = firstClickIdAt((today - days + 1) * DAY)
  // Fifty links a statement, in order of their key.
  for (let link = 1; link <= LINKS; link += 50) {
    await server.query(
      `INSERT INTO SingleClick SELECT ${link} + n DIV ${days * EACH} AS l, ${first} + MOD(n, ${days * EACH}) DIV ${EACH} * ${day} + MOD(n, ${EACH}) * ${firstClickIdAt(HOUR) - firstClickIdAt(0)} AS i,
         UNHEX(LPAD(HEX(n), 16, '0')), 0, 1, 1, 1 FROM (${NUMBERS}) AS numbers WHERE n < ${50 * days * EACH} ORDER BY l, i`,
      [0],
    )
  }
  for (let one = today - days + 1; one <= today; one++) {
    await server.query(
      `INSERT INTO ClickDay SELECT ${one}, 1 + n FROM (${NUMBERS}) AS numbers WHERE n < ${LINKS} ORDER BY n`,
      [0],
    )
  }
  await server.query('ANALYZE TABLE SingleClick')
  const reads = async () => {
    const rows: { Value: string }[] = await server.query("SHOW GLOBAL STATUS LIKE 'Handler_read%'")
    return rows.reduce((sum, { Value }) => sum + Number(Value), 0)
  }
  const before = await reads()
  const ms = await timed(() => sweepOldClicks(db, (today + 1) * DAY - 1, days - 2))
  const read = (await reads()) - before
  const [left]: { n: bigint }[] = await server.query('SELECT COUNT(*) AS n FROM ClickDay')
  if (Number(left?.n) !== LINKS * (days - 1)) throw new Error('another than the oldest day was swept')
  return { ms, reads: read }
}

/** What is asked of single clicks, in ms: medians. @param from a number from which on no clicks were inserted yet */
async function others(server: Connection, today: number, from: number): Promise<Record<'newest' | 'month' | 'insert', number>> {
  const each = async (ask: (link: number) => Promise<unknown>, asked = ASKED) => {
    const times: number[] = []
    for (let i = 0; i < asked; i++) times.push(await timed(() => ask(1 + ((i * 7_919) % LINKS))))
    return median(times)
  }
  let at = from
  return {
    newest: await each((link) => server.query('SELECT id FROM SingleClick WHERE linkId = ? ORDER BY id DESC LIMIT 50', [link])),
    month: await each((link) =>
      server.query('SELECT COUNT(*) FROM SingleClick WHERE linkId = ? AND id >= ?', [link, firstClickIdAt((today - 30) * DAY)]),
    ),
    insert: await each(async () => {
      const id = firstClickIdAt(today * DAY + 12 * HOUR) + BigInt(at++)
      const rows = Array.from({ length: 1_000 }, (_, i) => `(${1 + i * 5},${id},x'0000000000000000',0,1,1,1)`)
      await server.query(`INSERT INTO SingleClick VALUES ${rows.join()}`)
    }, 20),
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}
