import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { sqlFiles } from '@/scripts/lib/sql-files.mjs'

it('docs/scale.md says of every file with statements of its own how a sharding proxy routes them', () => {
  const table = readFileSync('docs/scale.md', 'utf8').split('| subject | files |')[1]?.split('\n\n')[0] ?? ''
  const files = table.split('\n').map((row) => row.split(' | ')[1] ?? '')
  const named = [...files.join().matchAll(/`([\w/-]+)`/g)].map(([, name = '']) => name)
  expect([...new Set(named)].sort()).toEqual(sqlFiles().sort())
})
