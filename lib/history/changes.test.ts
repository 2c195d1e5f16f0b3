import { describe, expect, it } from 'vitest'
import { Prisma } from '@/lib/db/generated/client'
import { linkRow } from '@/lib/testing/links'
import { changesBetween, isLeading, NOT_TOLD, TOLD_COLUMNS } from './changes'

describe('what changed of a link', () => {
  it('is told of every column, or not told for a reason', () => {
    const columns = Object.values(Prisma.LinkScalarFieldEnum)
    expect([...TOLD_COLUMNS, ...NOT_TOLD].sort()).toEqual([...columns].sort())
  })

  it('is told as the API has it, and of a password only whether there is one', () => {
    const before = linkRow({ url: 'https://example.com/a', passwordHash: 'hash of one' })
    const after = {
      ...before,
      url: 'https://example.com/b',
      title: 'Spring',
      passwordHash: 'hash of another',
      expiresAt: new Date('2040-01-02T03:04:05.678Z'),
      routing: '{"query":"forward"}',
      historyHiddenAt: new Date(),
      ownerId: 'alice',
      clicks: 7n,
      version: before.version + 1n,
    }
    const changes = changesBetween(before, after)
    expect(changes).toEqual([
      { field: 'url', from: 'https://example.com/a', to: 'https://example.com/b' },
      { field: 'routing', from: null, to: { query: 'forward' } },
      { field: 'title', from: '', to: 'Spring' },
      { field: 'expiresAt', from: null, to: '2040-01-02T03:04:05.678Z' },
      { field: 'password', from: true, to: true },
      { field: 'publicHistory', from: true, to: false },
      { field: 'owner', from: 'none', to: 'account' },
    ])
    expect(JSON.stringify(changes)).not.toContain('hash')
  })

  it('is nothing where times are the same moment, and where only counts differ', () => {
    const before = linkRow({ expiresAt: new Date(5_000_000_000_000) })
    expect(changesBetween(before, { ...before, expiresAt: new Date(5_000_000_000_000), taken: 3, clicks: 9n })).toEqual([])
  })

  it('leads visitors elsewhere by its destination, its rules and where it leads once it has ended alone', () => {
    const change = (field: 'url' | 'routing' | 'expiredUrl' | 'state') => isLeading([{ field, from: null, to: null }])
    expect([change('url'), change('routing'), change('expiredUrl'), change('state')]).toEqual([true, true, true, false])
  })
})
