import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { atEnd } from '@/lib/testing/cleanup'
import { testDatabase } from '@/lib/testing/database'
import { eventually } from '@/lib/testing/eventually'
import { type Proxy as Middle, proxyTo } from '@/lib/testing/proxy'
import { testRedis } from '@/lib/testing/redis'
import { testConfig } from '@/lib/testing/runtime'
import { backUp } from './back-up'

const { url } = await testDatabase()
const redis = await testRedis()
const dir = mkdtempSync(join(tmpdir(), 'terse-unit-backup-'))
atEnd(() => rmSync(dir, { recursive: true }))

/** A program that has no rows to tell, and ends once `going` is there. */
const [program, running, going] = ['dump', 'running', 'going'].map((name) => join(dir, name)) as [string, string, string]
writeFileSync(
  program,
  `#!/bin/sh\n[ "$2" = --version ] && echo MariaDB && exit\ntouch ${running}\nuntil [ -e ${going} ]; do sleep 0.02; done\n`,
  { mode: 0o700 },
)

/** When the database falls silent, and how often it was asked what by then. */
const MOMENTS: [string, string, number, (proxy: Middle) => unknown][] = [
  ['at first', 'SELECT VERSION()', 1, (proxy) => proxy.holdOnce('SELECT VERSION()')],
  ['before the dump', 'information_schema.TABLES', 1, (proxy) => proxy.holdOnce('information_schema.TABLES')],
  [
    'behind the dump',
    "LIKE '\\_prisma",
    2,
    async (proxy) => {
      await eventually(() => expect(existsSync(running)).toBe(true))
      proxy.hold()
      writeFileSync(going, '')
    },
  ],
]

describe.each(MOMENTS)('a backup whose database falls silent %s', (_, text, times, silence) => {
  async function begin(options: { signal?: AbortSignal; patience?: number }) {
    const proxy = await proxyTo(url)
    onTestFinished(() => {
      for (const name of [running, going]) rmSync(name, { force: true })
    })
    const folder = mkdtempSync(join(dir, 'backups-'))
    const config = testConfig({ DATABASE_URL: proxy.url, REDIS_URL: redis.url, DATA_DIR: folder })
    const file = join(folder, 'backup.age')
    const silent = silence(proxy)
    const ended = backUp(config, { file, passphrase: 'a long passphrase', program, warn: () => {}, ...options })
    ended.catch(() => {})
    await silent
    return { ended, proxy, left: () => readdirSync(folder).filter((name) => name.startsWith('backup.age')) }
  }

  it('ends with what is wrong, and leaves nothing', async () => {
    const { ended, left } = await begin({ patience: 1_000 })
    await expect(ended).rejects.toThrow('the database gave no answer for 1 s')
    expect(left()).toEqual([])
  })

  it('ends at once when it is told to stop, and leaves nothing', async () => {
    const stop = new AbortController()
    const { ended, left, proxy } = await begin({ signal: stop.signal })
    await eventually(() => expect(proxy.carried(text)).toBe(times))
    stop.abort()
    await expect(ended).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
    expect(left()).toEqual([])
  })
})
