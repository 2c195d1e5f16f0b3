import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { sha256 } from '@/lib/tools/hash'
import { isGuessableKey } from './guessable-keys'

it('what is sent in place of a key, and what everybody thinks of first, is known by its hash', async () => {
  for (const text of [
    '',
    ' ',
    '0',
    'x',
    '12',
    'ab',
    'null',
    'undefined',
    'YOUR_API_KEY',
    'password',
    'PASSWORD',
    '123456',
    'letmein',
  ]) {
    expect(await isGuessableKey(sha256(text)), text).toBe(true)
  }
})

it('a key that was made at random is not', async () => {
  for (let i = 0; i < 5; i++) expect(await isGuessableKey(sha256(randomBytes(20).toString('hex')))).toBe(false)
})
