import { Redis } from 'ioredis'
import { zipf } from '../loads'
import { compare, type Subject } from '../measure'
import { type ServerProcess, startApp } from '../processes'
import { notes, number, type Row, wrongAnswers } from '../report'
import type { World } from '../world'
import type { KeptStock } from './stock'

/** Redirects over all links, held against those of an app over a tenth as many, in turn. */
export async function redirects(world: World, many: KeptStock, few: KeptStock): Promise<Row[]> {
  const edge = { ROLE: 'edge' }
  const manyApp = await startApp(world.dir, { ...many.settings, ...edge })
  const fewApp = await startApp(world.dir, { ...few.settings, ...edge })
  const rows: Row[] = []
  try {
    // What is in use at one time does not grow with the links there are: the same number of both, and then all of each.
    for (const [title, count] of [
      ['250,000 links in use', 250_000],
      ['all links in use', Number.POSITIVE_INFINITY],
    ] as const) {
      const subject = (app: ServerProcess, stock: KeptStock): Subject => ({
        app,
        load: zipf(world, stock, Math.min(count, stock.count)),
        expects: 'redirect',
      })
      const [ofMany, ofFew] = await compare(world, [subject(manyApp, many), subject(fewApp, few)])
      if (!ofMany || !ofFew) throw new Error('nothing was measured')
      const ratio = ofMany.ratio / ofFew.ratio
      const cost = allMicroseconds(ofMany) / allMicroseconds(ofFew)
      rows.push({
        title: `redirects, ${title}: rate to that of ${number(few.count)} links`,
        goal: '≥ 0.9',
        result: ratio.toFixed(2),
        met: ratio >= 0.9 && ofMany.wrong + ofFew.wrong === 0,
        rate: ofMany.rate,
        p50: ofMany.p50,
        p99: ofMany.p99,
        cost: ofMany.cost,
        note: notes(
          `few: ${number(ofFew.rate)}/s`,
          `processor time of all processes ${cost.toFixed(2)} times`,
          wrongAnswers(ofMany.wrong + ofFew.wrong),
        ),
        raw: { many: ofMany, few: ofFew },
      })
    }
    rows.push({
      title: 'memory of a `ROLE=edge` process after that',
      goal: '',
      result: `${manyApp.memory().toFixed(0)} MB`,
      met: null,
      note: `over ${number(few.count)} links: ${fewApp.memory().toFixed(0)} MB`,
      raw: { many: manyApp.memory(), few: fewApp.memory() },
    })
    rows.push(await recordsOf(many))
    return rows
  } finally {
    await manyApp.stop()
    await fewApp.stop()
  }
}

/** What a link's record takes in Redis: memory less filter, by keys. */
async function recordsOf(stock: KeptStock): Promise<Row> {
  const redis = new Redis(stock.settings.REDIS_URL ?? '')
  const keys: string[] = []
  for (let cursor = '0', at = 0; at === 0 || (cursor !== '0' && keys.length < 2_000); at++) {
    const [next, some] = await redis.scan(cursor, 'MATCH', '{codes:*}:link:*', 'COUNT', 2_000)
    keys.push(...some)
    cursor = next
  }
  const sizes = await Promise.all(keys.map((key) => redis.memory('USAGE', key)))
  const records = await redis.dbsize()
  redis.disconnect()
  const each = sizes.reduce((sum: number, size) => sum + Number(size ?? 0), 0) / sizes.length
  return {
    title: 'Redis: the record of a link',
    goal: '',
    result: `${each.toFixed(0)} bytes`,
    met: null,
    note: `of ${number(sizes.length)} by MEMORY USAGE; ${number(records)} keys`,
    raw: { each, records },
  }
}

const allMicroseconds = ({ cost: { each } }: { cost: { each: object } }) =>
  Object.values(each).reduce((sum: number, part: unknown) => sum + Number(part), 0)
