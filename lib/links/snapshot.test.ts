import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Link } from '@/lib/db/generated/client'
import { linkRow } from '@/lib/testing/links'
import { fromSnapshot, toSnapshot } from './snapshot'

const bigint = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n })
const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((array) => Buffer.from(array))
const date = fc.date({ min: new Date(0), max: new Date('9998-12-31'), noInvalidDate: true })
const text = fc.string({ unit: 'binary' })

const link = fc
  .record<Partial<Link>>({
    id: bigint,
    clicks: bigint,
    version: bigint,
    urlHash: bytes,
    manageTokenHash: fc.option(bytes),
    startsAt: fc.option(date),
    expiresAt: fc.option(date),
    createdAt: date,
    updatedAt: date,
    title: text,
    url: text,
    expiredUrl: fc.option(text),
    ownerId: fc.option(text),
    passwordHash: fc.option(text),
    maxClicks: fc.option(fc.integer()),
    shared: fc.boolean(),
    state: fc.constantFrom('active', 'disabled', 'banned'),
  })
  .map(linkRow)

describe('a snapshot', () => {
  it('gives back every column of the link as it was', () => {
    fc.assert(
      fc.property(link, (row) => {
        expect(fromSnapshot(toSnapshot(row))).toEqual(row)
      }),
    )
  })

  it('takes bytes as the database driver gives them', () => {
    const row = linkRow({ manageTokenHash: Buffer.alloc(32, 9) })
    const asRead = { ...row, urlHash: new Uint8Array(row.urlHash), manageTokenHash: new Uint8Array(32).fill(9) }
    expect(fromSnapshot(toSnapshot(asRead))).toEqual(row)
  })
})
