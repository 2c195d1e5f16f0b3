import { anonymous } from '@/lib/actor'
import { readConfig } from '@/lib/config'
import { migrate } from '@/lib/db/migrate'
import { createLinks } from '@/lib/links/bulk'
import { createRuntime, type Runtime } from '@/lib/runtime'

/** Links made by one call. */
const BATCH = 1_000
/** Batches under way at the same time: one is hashed here while MySQL and Redis work on the others. */
const CONCURRENCY = 3
const ACTOR = anonymous()

/** What making the links of a database took. */
export interface Seeding {
  codes: string[]
  seconds: number
  /** Links a second. */
  rate: number
  /** Rows that MySQL has in the end, and changes that Redis did not take; the latter should be 0. */
  rows: number
  unheard: number
}

/** Migrates an empty database and makes `count` links in it through the link service. */
export async function seed(settings: Record<string, string>, count: number): Promise<Seeding> {
  const config = readConfig({ ...process.env, LOG_LEVEL: 'error', ...settings })
  await migrate(config.DATABASE_URL)
  const runtime = await createRuntime(config)
  try {
    await insert(runtime, 0, 0) // the first use opens connections
    const begun = performance.now()
    const codes: string[] = new Array(count)
    let next = 0
    const work = async () => {
      while (next < count) {
        const from = next
        next = Math.min(count, from + BATCH)
        for (const [i, code] of (await insert(runtime, from, next)).entries()) codes[from + i] = code
      }
    }
    await Promise.all(Array.from({ length: CONCURRENCY }, work))
    const seconds = (performance.now() - begun) / 1000
    const [rows, unheard] = await Promise.all([runtime.db.client.link.count(), runtime.db.client.outbox.count()])
    return { codes, seconds, rate: count / seconds, rows, unheard }
  } finally {
    await runtime.close()
  }
}

async function insert(runtime: Runtime, from: number, to: number): Promise<string[]> {
  const inputs = Array.from({ length: to - from }, (_, i) => ({ url: destination(from + i) }))
  const created = await createLinks(runtime, ACTOR, inputs)
  return created.map(({ link }) => link.code)
}

/** As long as addresses are that people shorten: about 100 characters. */
function destination(i: number): string {
  return `https://www.example.com/articles/2026/11/how-to-number-${i}?utm_source=newsletter&utm_campaign=november`
}
