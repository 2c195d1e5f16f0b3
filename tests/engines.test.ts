import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { databaseVersion, redisVersion } from '@/scripts/lib/engine-run.mjs'
import { FILE, lineOf, withLines } from '@/scripts/lib/engine-table.mjs'
import { ENGINES } from '@/scripts/lib/engines.mjs'
import { findProgram } from '@/scripts/lib/tools.mjs'
import { privateServers } from './harness'

const { signal } = new AbortController()
const find = (name: keyof typeof ENGINES) => ENGINES[name]?.find(signal)

describe('an engine', () => {
  let cache: string

  beforeEach(() => {
    cache = mkdtempSync(join(tmpdir(), 'terse-cache-'))
    onTestFinished(() => rmSync(cache, { recursive: true }))
    vi.stubEnv('XDG_CACHE_HOME', cache)
    for (const name of ['TEST_MYSQLD', 'TEST_MARIADBD', 'TEST_REDIS_SERVER', 'TEST_REDIS_BLOOM']) vi.stubEnv(name, '')
  })

  test.each(Object.keys(ENGINES))(
    '%s that may not be fetched is missing for a reason that is told, and leaves nothing behind',
    async (name) => {
      vi.stubEnv('NO_INSTALL', '1')
      // Or this machine has one of its own.
      const found = await find(name)
      if (found && 'missing' in found) expect(found.missing).toMatch(/NO_INSTALL=1|set TEST_/)
      expect(readdirSync(cache)).toEqual([])
    },
  )

  test.each([
    ['mysql', 'TEST_MYSQLD', findProgram(['mariadbd']) ?? '/bin/false', 'a MySQL server'],
    ['mysql', 'TEST_MYSQLD', '/no/such/mysqld', 'a MySQL server'],
    ['mariadb-11.8', 'TEST_MARIADBD', '/bin/true', 'a MariaDB server'],
    ['valkey', 'TEST_REDIS_SERVER', '/bin/true', 'a Redis or Valkey server'],
  ])('of %s is refused when %s=%s, which is something else', async (name, setting, file, family) => {
    vi.stubEnv(setting, file)
    await expect(find(name)).rejects.toThrow(`${setting}=${file} is not ${family}`)
  })

  test('says its version itself', async () => {
    const servers = await privateServers()
    onTestFinished(() => servers.stop())
    expect(await databaseVersion(servers.mariadb.port)).toMatch(/^(MySQL|MariaDB) \d+\.\d+\.\d+$/)
    expect(await redisVersion(servers.redisUrl)).toMatch(/^(Redis|Valkey) \d+\.\d+\.\d+( with RedisBloom \d+\.\d+\.\d+)?$/)
  })
})

describe('docs/engines.md', () => {
  const page = readFileSync(FILE, 'utf8')
  const versions = { node: '20.19.0', database: 'MySQL 9.9.9', redis: 'Redis 7.0.0' }
  const state = { commit: 'abcdef012', migration: '20261224000000' }
  const row = (name: string, failed: number) => ({
    name,
    versions,
    outcome: { passed: 2, failed, skipped: 0 },
    time: 90_000,
    state,
  })

  test('is as the command writes it', () => {
    expect(withLines(page, [])).toBe(page)
  })

  test('takes the row of an engine that ran in place of the former, and keeps the others', () => {
    const on = new Date('2026-12-24T00:00:00Z')
    const first = withLines(page, [lineOf(row('valkey', 0), on), lineOf(row('mysql', 0), on)])
    const second = withLines(first, [lineOf(row('mysql', 1), on)])
    const rows = second.split('\n').filter((line) => line.includes('2026-12-24'))
    expect(rows).toEqual([
      expect.stringMatching(
        /^\| MySQL \| database \| 20\.19\.0 \| MySQL 9\.9\.9 \| Redis 7\.0\.0 \| 2 \| ✗ 1 \| 0 \| 2 min \| 2026-12-24 \| abcdef012 \| 20261224000000 \|/,
      ),
      expect.stringMatching(/^\| Valkey \| redis \|/),
    ])
  })
})
