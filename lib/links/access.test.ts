import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { anonymous } from '@/lib/actor'
import { isTerseError } from '@/lib/errors'
import { owner } from '@/lib/testing/runtime'
import { sha256 } from '@/lib/tools/hash'
import { manageToken, requireManager } from './access'

const SECRET = 'a secret for the tests'
const token = manageToken(SECRET, 7n)
const anonymousLink = { ownerId: null, manageTokenHash: sha256(token) }
const ownedLink = { ownerId: 'alice', manageTokenHash: null }

describe('a manage token', () => {
  it('is the same every time, and another for every link and every secret', () => {
    expect(manageToken(SECRET, 7n)).toBe(token)
    expect(new Set([token, manageToken(SECRET, 8n), manageToken('another secret', 7n)]).size).toBe(3)
    expect(token).toMatch(/^[\w-]{43}$/)
  })

  it('is kept as a SHA-256 only', () => {
    expect(sha256(token)).toEqual(createHash('sha256').update(token).digest())
  })
})

describe('who may manage a link', () => {
  it.each([
    ['its token', anonymous(token), anonymousLink, null],
    ['its owner', owner('alice'), ownedLink, null],
    ['nobody in particular', anonymous(), anonymousLink, 'unauthorized'],
    ['nobody in particular, of an owned link', anonymous(), ownedLink, 'unauthorized'],
    ['the token of another link', anonymous(manageToken(SECRET, 8n)), anonymousLink, 'forbidden'],
    ['an empty token', anonymous(''), anonymousLink, 'forbidden'],
    ['the hash instead of the token', anonymous(sha256(token).toString('hex')), anonymousLink, 'forbidden'],
    ['some token, of a link without one', anonymous(token), ownedLink, 'forbidden'],
    ['another account', owner('bob'), ownedLink, 'forbidden'],
    ['an admin', owner('carol', 'admin'), ownedLink, 'forbidden'],
    ['its owner, with a read-only key', { ...owner('alice'), scope: 'read' as const }, ownedLink, 'forbidden'],
    ['an account, of an anonymous link', owner('alice'), anonymousLink, 'forbidden'],
  ])('%s', (_, actor, link, refusal) => {
    let code: string | null = null
    try {
      requireManager(actor, link, 'write')
    } catch (error) {
      code = isTerseError(error) ? error.code : 'fault'
    }
    expect(code).toBe(refusal)
  })

  it('an admin may look at any, and an account at its own with a read-only key', () => {
    for (const actor of [owner('carol', 'admin'), { ...owner('alice'), scope: 'read' as const }]) {
      expect(() => requireManager(actor, ownedLink, 'read')).not.toThrow()
    }
    expect(() => requireManager(owner('bob'), ownedLink, 'read')).toThrow()
  })
})
