import { setTimeout as delay } from 'node:timers/promises'
import type { Connection } from 'mariadb'
import { median } from '../measure'
import { startApp } from '../processes'
import { infoRow, number, type Row } from '../report'
import type { World } from '../world'
import type { KeptStock } from './stock'

const START_SECONDS = 5

/** From spawn to `/readyz`, with the data as a stop has left them. */
export async function start({ dir }: World, stock: KeptStock): Promise<Row[]> {
  const times: number[] = []
  for (let i = 0; i < 3; i++) {
    const app = await startApp(dir, stock.settings)
    times.push(app.startTime / 1000)
    await app.stop()
  }
  const result = median(times)
  return [
    {
      title: 'start, until ready',
      goal: `< ${START_SECONDS} s`,
      result: `${result.toFixed(1)} s`,
      met: result < START_SECONDS,
      note: times.map((time) => time.toFixed(2)).join(', '),
      raw: { times },
    },
  ]
}

/** How long the search index may take until the other parts are measured all the same, in ms. */
const INDEXING = 8 * 60_000

/** What an app does by itself when it finds links that it has not counted or indexed: after an upgrade, or here. */
export async function settle({ dir }: World, stock: KeptStock, server: Connection): Promise<Row[]> {
  const app = await startApp(dir, stock.settings)
  try {
    const begun = performance.now()
    const seconds = () => (performance.now() - begun) / 1000
    const one = async (sql: string): Promise<number> => {
      const [row]: { n: bigint | number | string | null }[] = await server.query({
        sql: `SELECT ${sql} AS n`,
        namedPlaceholders: false,
      })
      return Number(row?.n ?? 0)
    }
    const until = async (sql: string, least: number, most = Number.POSITIVE_INFINITY) => {
      for (let at = 0; ; await delay(250)) {
        at = await one(sql)
        if (at >= least || performance.now() - begun > most) return { at, seconds: seconds() }
      }
    }
    await server.query(`USE ${stock.database}`)
    const held = await one('(SELECT SUM(size) FROM SearchBlock)')
    const counted = await until('(SELECT SUM(links) FROM LinkCount WHERE subject = 0)', 0.9999 * stock.count)
    const taken = await until('(SELECT lastId FROM CountedTo WHERE id = 3)', 2 ** 62)
    const indexed = await until('(SELECT SUM(size) FROM SearchBlock)', stock.count - 20_000, INDEXING)
    return [
      infoRow('links counted once, from the start of the first app', `${counted.seconds.toFixed(0)} s`, '', counted),
      infoRow('clicks of accounts taken in', `${taken.seconds.toFixed(0)} s`, '', taken),
      infoRow(
        'links in the search index',
        number(indexed.at),
        `${number(held)} before, ${indexed.seconds.toFixed(0)} s`,
        indexed,
      ),
    ]
  } finally {
    await app.stop()
  }
}
