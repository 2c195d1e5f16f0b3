import { beforeAll, describe, expect, it } from 'vitest'
import { testDatabase } from '@/lib/testing/database'
import { deletedRow, linkRow } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { testRuntime } from '@/lib/testing/runtime'
import { sha256 } from '@/lib/tools/hash'
import type { LinkScope } from './filter'
import { listLinks } from './list'
import { ListLinks } from './schemas'

const { url } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })

const TOKEN = sha256('one')
const NOW = Date.UTC(2027, 5, 1)

/** Each of its time but for the last three, which were deleted together. */
const deleted = Array.from({ length: 8 }, (_, i) =>
  deletedRow(
    linkRow({
      domainId: 1 + (i % 2),
      ownerId: i < 4 ? 'alice' : null,
      manageTokenHash: i < 4 ? null : TOKEN,
      title: i === 2 ? 'odd' : 'spring sale',
    }),
    new Date(NOW + Math.min(i, 5) * 1_000),
  ),
)
beforeAll(() => ctx.db.client.deletedLink.createMany({ data: deleted }))

// Sends every statement that this list may need, so that its plan is held against a database in use (lib/db/plans.check.ts).
describe.each<[string, LinkScope]>([
  ['of everyone', {}],
  ['of a domain', { domainId: 1 }],
  ['of an account', { ownerId: 'alice' }],
  ['of an account on a domain', { ownerId: 'alice', domainId: 1 }],
  ['without an account', { ownerId: null }],
  ['of a token', { manageTokenHash: TOKEN }],
])('the deleted links %s', (_, scope) => {
  it.each(['newest', 'oldest'] as const)('can be searched and paged through, %s first', async (sort) => {
    for (const q of [undefined, 'spring']) {
      const fitting = deleted
        .filter(({ ownerId }) => scope.ownerId === undefined || ownerId === scope.ownerId)
        .filter(({ domainId }) => scope.domainId === undefined || domainId === scope.domainId)
        .filter(({ manageTokenHash }) => scope.manageTokenHash === undefined || manageTokenHash === TOKEN)
        .filter(({ snapshot }) => q === undefined || snapshot.includes(q))
      const expected = (sort === 'newest' ? fitting.reverse() : fitting).map(({ id }) => id)
      const found: bigint[] = []
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const query = ListLinks.parse({ state: 'deleted', sort, limit: 1, q, cursor })
        const { links, nextCursor } = await listLinks(ctx, scope, query)
        found.push(...links.map(({ id }) => id))
        cursor = nextCursor
      }
      expect(found).toEqual(expected)
    }
  })
})
