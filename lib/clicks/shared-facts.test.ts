import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { nextId } from '@/lib/db/id'
import { openGateway, storedClick } from '@/lib/testing/counting'
import { testDatabase } from '@/lib/testing/database'
import type { ClickFacts } from './click'
import { SharedFacts } from './shared-facts'

const { url, connection } = await testDatabase()
const db = openGateway(url, 8)

const DAY = 86_400_000
const NOW = Date.UTC(2026, 10, 22)

const factsOf = (facts: Partial<ClickFacts>) => storedClick(nextId(), facts)
const cities = (prefix: string) =>
  connection.query<{ id: number; city: string; usedOn: number }[]>(
    'SELECT id, city, usedOn FROM ClickPlace WHERE city LIKE ? ORDER BY city',
    [`${prefix}%`],
  )

it('processes that store the same at once agree, and each is kept once', async () => {
  const clicks = Array.from({ length: 700 }, (_, i) => factsOf({ city: `shared ${i}`, userAgent: `agent ${i % 50}` }))
  const told = await Promise.all(
    Array.from({ length: 6 }, async (_, i) => {
      const own = [...clicks.slice(i * 100), ...clicks.slice(0, i * 100)]
      const referencesOf = await new SharedFacts().store(db, own)
      return clicks.map(({ facts }) => referencesOf(facts))
    }),
  )
  for (const references of told) expect(references).toEqual(told[0])
  expect(new Set(told[0]).size).toBe(700)
  expect(await cities('shared')).toHaveLength(700)
})

it('texts whose hashes begin alike are told apart', async () => {
  const byId = new Map<number, string>()
  let pair: string[] = []
  for (let i = 0; pair.length === 0; i++) {
    const city = `alike ${i}`
    const id = createHash('sha256')
      .update(JSON.stringify(['', city]))
      .digest()
      .readInt32BE()
    const other = byId.get(id)
    if (other !== undefined) pair = [other, city]
    byId.set(id, city)
  }
  const [one, other] = pair.map((city) => factsOf({ city }))
  if (!one || !other) throw new Error('there are two')
  const together = await new SharedFacts().store(db, [one, other])
  expect((await cities('alike')).map(({ city }) => city)).toEqual([...pair].sort())
  const apart = await new SharedFacts().store(db, [other])
  expect(apart(other.facts)).toBe(together(other.facts))
  expect(apart(other.facts)).not.toBe(together(one.facts))
})

it('a source without a destination has the id that the previous release gives it, and one with a destination its own', async () => {
  const texts = ['ids.example', 'https://ids.example/a', 'mail', '', '', '', '']
  const [referrer, referrerUrl, utmSource] = texts as [string, string, string]
  const plain = factsOf({ referrer, referrerUrl, utmSource })
  const led = factsOf({ referrer, referrerUrl, utmSource, destination: 'https://a.example/' })
  const referencesOf = await new SharedFacts().store(db, [plain, led])
  const sourceOf = ({ facts }: typeof plain) => Number(referencesOf(facts).split(',')[1])
  const former = createHash('sha256').update(JSON.stringify(texts)).digest().readInt32BE()
  expect(sourceOf(plain)).toBe(former)
  expect(sourceOf(led)).not.toBe(former)
  const rows = await connection.query('SELECT id, destination FROM ClickSource WHERE referrer = ? ORDER BY destination', [
    referrer,
  ])
  expect(rows).toEqual([
    { id: former, destination: '' },
    { id: sourceOf(led), destination: 'https://a.example/' },
  ])
})

it('what is used again is marked on each day, by one statement a table, and costs none in between', async () => {
  let statements = 0
  const counting = {
    rows: db.rows.bind(db),
    change: (sql: string) => {
      statements += 1
      return db.change(sql)
    },
  }
  const clicks = [factsOf({ city: 'marked 1' }), factsOf({ city: 'marked 2' })]
  const facts = new SharedFacts()
  const usedOn = async () => (await cities('marked')).map((row) => row.usedOn - NOW / DAY)
  await facts.store(counting, clicks, NOW)
  expect(await usedOn()).toEqual([0, 0])
  // The same facts in other objects.
  await facts.store(counting, [...clicks, factsOf({ city: 'marked 1' })], NOW + DAY - 1)
  expect(statements).toBe(3)
  await facts.store(counting, clicks.slice(1), NOW + 2 * DAY)
  expect(await usedOn()).toEqual([0, 2])
  expect(statements).toBe(6)
})
