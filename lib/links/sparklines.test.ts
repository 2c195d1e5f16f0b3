import { describe, expect, it } from 'vitest'
import { anonymous } from '@/lib/actor'
import { DatabaseGateway } from '@/lib/db/gateway'
import { atEnd } from '@/lib/testing/cleanup'
import { keepClicks } from '@/lib/testing/clicks'
import { testDatabase } from '@/lib/testing/database'
import { linkRow } from '@/lib/testing/links'
import { owner } from '@/lib/testing/runtime'
import { sha256 } from '@/lib/tools/hash'
import { insertLinks } from './insert'
import { getSparklines } from './sparklines'

const { url, connection } = await testDatabase()
const db = new DatabaseGateway(url, 4)
atEnd(() => db.close())
const ctx = { db }

const DAY = 86_400_000
const NOW = Date.UTC(2027, 2, 1, 0, 30)
const today = Math.floor(NOW / DAY) * DAY

describe('getSparklines', () => {
  it('counts the clicks of each of the last 30 days of UTC, and no others', async () => {
    const [busy, quiet] = [linkRow({ ownerId: 'alice' }), linkRow({ ownerId: 'alice' })]
    await insertLinks(db.client, [busy, quiet])
    const times = [today + DAY, NOW, today, today - 1, today - DAY, today - 29 * DAY, today - 29 * DAY - 1]
    await keepClicks(connection, busy.id, [...times.map((at) => ({ at })), { at: NOW, kind: 'bot' }, { at: NOW, country: 'DE' }])
    const { days } = await getSparklines(ctx, owner('alice'), [busy.id.toString(), quiet.id.toString()], NOW)
    expect(days).toEqual({
      [busy.id.toString()]: [1, ...Array(27).fill(0), 2, 4],
      [quiet.id.toString()]: Array(30).fill(0),
    })
  })

  it('tells nothing of links of others, nor whether there are any', async () => {
    const [hers, his, token] = [
      linkRow({ ownerId: 'alice' }),
      linkRow({ ownerId: 'bob' }),
      linkRow({ manageTokenHash: sha256('token') }),
    ]
    await insertLinks(db.client, [hers, his, token])
    const ids = [hers, his, token].map(({ id }) => id.toString())
    const seen = async (actor: Parameters<typeof getSparklines>[1]) =>
      Object.keys((await getSparklines(ctx, actor, [...ids, '1', '8999999999999999999'], NOW)).days).sort()
    expect(await seen(owner('alice'))).toEqual([ids[0]])
    expect(await seen(anonymous('token'))).toEqual([ids[2]])
    expect(await seen(anonymous('other'))).toEqual([])
    expect(await seen(anonymous())).toEqual([])
    expect(await seen(owner('carol', 'admin'))).toEqual([...ids].sort())
  })
})
