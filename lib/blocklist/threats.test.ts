import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { DatabaseGateway } from '@/lib/db/gateway'
import { atEnd } from '@/lib/testing/cleanup'
import { testDatabase } from '@/lib/testing/database'
import { SILENT } from '@/lib/testing/links'
import { Blocklist } from './blocklist'
import { expressionsOf } from './expressions'
import { readThreats, valuesOf } from './threat-entries'
import { removeThreats, replaceThreats, setPauses, viewThreats } from './threat-list'

const { url, connection } = await testDatabase()
const db = new DatabaseGateway(url, 5)
atEnd(() => db.close())
const blocklist = new Blocklist(db, SILENT)
/** Another process. */
const other = new Blocklist(db, SILENT)
const ctx = { db, blocklist }
const sha = (expression: string) => createHash('sha256').update(expression).digest('hex')

describe('what a list names a page by', () => {
  it('is its host and those it is below, each with its paths, as Safe Browsing has it', () => {
    expect(new Set(expressionsOf('http://a.b.c/1/2.html?param=1'))).toEqual(
      new Set(['a.b.c', 'b.c'].flatMap((host) => ['/1/2.html?param=1', '/1/2.html', '/', '/1/'].map((path) => host + path))),
    )
    const hosts = new Set(expressionsOf('http://a.b.c.d.e.f.g/1.html').map((one) => one.split('/')[0]))
    expect(hosts).toEqual(new Set(['a.b.c.d.e.f.g', 'c.d.e.f.g', 'd.e.f.g', 'e.f.g', 'f.g']))
    expect(expressionsOf('http://1.2.3.4/1/')).toEqual(['1.2.3.4/1/', '1.2.3.4/'])
    expect(expressionsOf('mailto:a@b.c')).toEqual([])
  })

  it.each([
    ['http://host/%25%32%35', 'host/%25'],
    ['http://host/%2525252525252525', 'host/%25'],
    ['http://www.google.com/blah/..', 'www.google.com/'],
    ['http://www.GOOgle.com/', 'www.google.com/'],
    ['http://www.google.com.../', 'www.google.com/'],
    ['http://www.google.com/q?r?s', 'www.google.com/q?r?s'],
    ['http://evil.com/foo#bar#baz', 'evil.com/foo'],
    ['http://host.com//twoslashes?more//slashes', 'host.com/twoslashes?more//slashes'],
    ['http://3279880203/blah', '195.127.0.11/blah'],
    ['http://host/asdf%25%32%35asd', 'host/asdf%25asd'],
    ['http://[::ffff:195.127.0.11]/blah', '195.127.0.11/blah'],
    ['http://[::ffff:c37f:b]/blah', '195.127.0.11/blah'],
    ['http://[2001:db8::1]/blah', '[2001:db8::1]/blah'],
  ])('of %s is written %s', (href, canonical) => {
    expect(expressionsOf(href)[0]).toBe(canonical)
  })
})

describe('a list', () => {
  it('is read in any mixture, and says which lines could not be', async () => {
    const text = [
      '# list',
      '',
      'abcdef12',
      'ABCDEF12',
      'abc',
      `${'0'.repeat(66)}`,
      '0.0.0.0 bad.example',
      'https://x.example/a',
      'not a host',
      sha('y/'),
    ]
    expect(await readThreats(text.join('\r\n'))).toMatchObject({ entries: 4, short: 1, bad: { count: 3, lines: [5, 6, 9] } })
  })

  it('of a million entries is taken in by short stretches, sorted, and held in 8 bytes each', async () => {
    const text = Array.from({ length: 1_000_000 }, (_, n) => createHash('md5').update(`${n}`).digest('hex').slice(0, 16)).join(
      '\n',
    )
    let longest = 0
    let last = performance.now()
    const timer = setInterval(() => {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }, 1)
    last = performance.now()
    const read = await readThreats(text)
    clearInterval(timer)
    expect(read).toMatchObject({ entries: 1_000_000, short: 0 })
    const values = read?.parts.flatMap((part) => [...valuesOf(part)]) ?? []
    expect(values.every((value, i) => i === 0 || (values[i - 1] as bigint) < value)).toBe(true)
    expect(read?.parts.reduce((sum, { content }) => sum + content.length, 0)).toBe(8_000_000)
    expect(await readThreats(`${text}\nbad.example`)).toBeNull()
    console.info(`longest stretch of a million entries: ${Math.round(longest)} ms`)
  }, 60_000)

  it('is in every process as a whole, and refuses destinations only while links are paused for it', async () => {
    const listed = { url: 'https://sub.bad.example/deep/page?x=1' }
    const view = await replaceThreats(ctx, `bad.example\n${sha('worse.example/path/')}\n${sha('chance.example/').slice(0, 8)}`)
    expect(view).toMatchObject({ entries: 3, short: 1, pauses: false, busy: true, bad: { count: 0 } })
    await other.refresh()
    await other.threats.refresh()
    for (const { threats } of [blocklist, other]) {
      expect(threats.find(listed.url)).toBe('sure')
      expect(threats.find('http://worse.example/path/file')).toBe('sure')
      expect(threats.find('http://worse.example/other')).toBeNull()
      expect(threats.find('https://www.chance.example/')).toBe('maybe')
      expect(threats.find('https://notbad.example/')).toBeNull()
    }
    expect(() => other.require(listed)).not.toThrow()
    await setPauses(ctx, true)
    await other.threats.refresh()
    for (const one of [blocklist, other]) {
      expect(() => one.require(listed)).toThrow(/list of threats/)
      expect(() => one.require({ url: 'https://fine.example', expiredUrl: listed.url })).toThrow()
      expect(() => one.require({ url: 'https://www.chance.example/' })).not.toThrow()
    }
    await replaceThreats(ctx, 'else.example')
    expect(() => blocklist.require(listed)).not.toThrow()
    await removeThreats(ctx)
    expect(await viewThreats(ctx)).toMatchObject({ entries: 0, uploadedAt: null })
    expect(blocklist.threats.find('https://else.example')).toBeNull()
    const parts = await connection.query('SELECT version FROM ThreatPart')
    expect(parts).toEqual([])
  })

  it('that names nothing, or too much, changes nothing', async () => {
    await expect(replaceThreats(ctx, '# nothing\n')).rejects.toMatchObject({ code: 'validation_failed' })
    await expect(replaceThreats(ctx, '<html>')).rejects.toMatchObject({ code: 'validation_failed' })
  })
})
