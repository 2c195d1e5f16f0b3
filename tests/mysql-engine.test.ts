import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { findProgram } from '@/scripts/lib/tools.mjs'

const { signal } = new AbortController()
let cache: string

beforeEach(() => {
  vi.resetModules()
  cache = mkdtempSync(join(tmpdir(), 'terse-cache-'))
  onTestFinished(() => rmSync(cache, { recursive: true }))
  vi.stubEnv('XDG_CACHE_HOME', cache)
  vi.stubEnv('TEST_MYSQLD', '')
})

/** With the settings as they are now. */
const findEngine = async () => (await import('@/scripts/lib/mysql-engine.mjs')).findMysqlEngine(signal)

test('a MySQL that may not be fetched is missing, for a reason that is told, and nothing is left behind', async () => {
  vi.stubEnv('NO_INSTALL', '1')
  const engine = await findEngine()
  if ('missing' in engine) expect(engine.missing).toContain('NO_INSTALL=1')
  else expect(engine.version).not.toContain('MariaDB') // this machine has one of its own
  expect(readdirSync(cache)).toEqual([])
})

test.each([findProgram(['mariadbd']) ?? '/bin/false', '/no/such/mysqld'])(
  'TEST_MYSQLD=%s is refused: it is not a MySQL server',
  async (file) => {
    vi.stubEnv('TEST_MYSQLD', file)
    await expect(findEngine()).rejects.toThrow(`TEST_MYSQLD=${file} is not a MySQL server`)
  },
)
