import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { insertStatement } from '@/lib/links/insert'
import { testDatabase } from '@/lib/testing/database'
import { eventually } from '@/lib/testing/eventually'
import { HOST, linkRow } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { testRuntime } from '@/lib/testing/runtime'
import { S3_KEY, TestBucket } from '@/lib/testing/s3'
import { COPY_FORMATS } from '@/lib/tools/copy-formats'
import { DAY } from '@/lib/tools/time'
import { type CopyTarget, FolderTarget } from './copy-target'
import { FILE_FORMATS } from './export-file'
import { copyState, NightlyCopy, nightOf } from './nightly'
import { S3Target } from './s3-target'

const folder = mkdtempSync(join(tmpdir(), 'terse-nightly-'))
const copies = join(folder, 'copies')
afterAll(() => rmSync(folder, { recursive: true }))

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({
  DATABASE_URL: url,
  REDIS_URL: redis.url,
  COPY_TO: copies,
  COPY_KEEP: '2',
  COPY_FORMATS: 'jsonl, node',
})
const NIGHT = Date.parse('2031-05-06T03:00:00Z')

const state = async (now = NIGHT) => {
  const found = await copyState(ctx, now)
  if (!found) throw new Error('there are to be copies')
  return found
}
const textOf = (name: string) => gunzipSync(readFileSync(join(copies, name))).toString()

beforeAll(async () => {
  const { sql, values } = insertStatement([linkRow(), linkRow({ maxClicks: 3 })])
  await connection.query(sql, values)
})
beforeEach(async () => {
  rmSync(copies, { recursive: true, force: true })
  await connection.query(
    "UPDATE NightlyCopy SET night = '2031-05-05', holder = '', leaseUntil = NULL, failedAt = NULL, failure = ''",
  )
})

it('knows the night whose time has come last', () => {
  expect(nightOf('03:00', NIGHT - 1)).toBe('2031-05-05')
  expect(nightOf('03:00', NIGHT)).toBe('2031-05-06')
  expect(nightOf('00:00', Date.parse('2031-05-06T00:00:00Z'))).toBe('2031-05-06')
  expect(nightOf('23:59', Date.parse('2031-05-06T23:58:59Z'))).toBe('2031-05-05')
})

it('can hold whatever can be exported', () => {
  expect([...COPY_FORMATS].sort()).toEqual([...FILE_FORMATS].sort())
})

describe('a nightly copy', () => {
  it('is made once by one of many processes, whole and for nobody else to read', async () => {
    const nightly = Array.from({ length: 5 }, () => new NightlyCopy({ ...ctx, metrics: unheard }))
    const made = await Promise.all(nightly.map((one) => one.look(NIGHT)))
    expect(made.filter(Boolean)).toHaveLength(1)
    expect(readdirSync(copies).sort()).toEqual(['2031-05-06-terse-links.jsonl.gz', '2031-05-06-terse-redirects.jsonl.gz'])
    const links = textOf('2031-05-06-terse-links.jsonl.gz')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(links.map(({ domain, owner }) => [domain, owner])).toEqual([
      [HOST, ''],
      [HOST, ''],
    ])
    expect(textOf('2031-05-06-terse-redirects.jsonl.gz')).toContain('Left out: 1 with a click limit.')
    expect(statSync(join(copies, '2031-05-06-terse-links.jsonl.gz')).mode & 0o077).toBe(0)
    expect(await state()).toMatchObject({ night: '2031-05-06', failure: '', nextAt: new Date(NIGHT + DAY) })
    expect(await nightly[0]?.look(NIGHT + DAY - 1)).toBe(false)
  })

  it('replaces the oldest, and leaves alone what is not ours', async () => {
    const nightly = new NightlyCopy({ ...ctx, metrics: unheard })
    for (const day of [0, 1, 2, 3]) {
      expect(await nightly.look(NIGHT + day * DAY)).toBe(true)
      if (day === 0) writeFileSync(join(copies, '2031-05-01-holiday.gz'), 'mine')
    }
    expect(readdirSync(copies).sort()).toEqual([
      '2031-05-01-holiday.gz',
      ...['2031-05-08', '2031-05-09'].flatMap((night) => [`${night}-terse-links.jsonl.gz`, `${night}-terse-redirects.jsonl.gz`]),
    ])
  })

  it('that fails leaves no half file, is told, and is tried again by whoever comes first', async () => {
    class FullDisk extends FolderTarget {
      override put(name: string, pieces: AsyncIterable<string>, signal: AbortSignal): Promise<number> {
        async function* broken() {
          for await (const piece of pieces) yield piece
          throw new Error('no space left on device')
        }
        return super.put(name, broken(), signal)
      }
    }
    const failing = new NightlyCopy({ ...ctx, metrics: unheard }, new FullDisk(copies))
    expect(await failing.look(NIGHT)).toBe(true)
    expect(readdirSync(copies)).toEqual([])
    expect(await state()).toMatchObject({ night: '2031-05-05', failure: 'no space left on device', nextAt: new Date(NIGHT) })
    const next = new NightlyCopy({ ...ctx, metrics: unheard })
    expect(await next.look(NIGHT)).toBe(false)
    await connection.query('UPDATE NightlyCopy SET leaseUntil = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND')
    expect(await next.look(NIGHT)).toBe(true)
    expect(await state()).toMatchObject({ night: '2031-05-06', failure: '', failedAt: null })
  })
})

describe('a nightly copy of processes that differ', () => {
  it('is none that a process breaks which stood still, and goes on once another has finished it', async () => {
    let goOn = () => {}
    const still = new Promise<void>((resolve) => {
      goOn = resolve
    })
    /** Stands still within its first file. */
    class Frozen extends FolderTarget {
      override put(...[name, pieces, ...rest]: Parameters<CopyTarget['put']>): Promise<number> {
        async function* slow() {
          for await (const piece of pieces) yield piece
          await still
          yield 'what nobody waits for any more'
        }
        return super.put(name, slow(), ...rest)
      }
    }
    const frozen = new NightlyCopy({ ...ctx, metrics: unheard }, new Frozen(copies)).look(NIGHT)
    await eventually(() => expect(readdirSync(copies)).toHaveLength(1))
    await connection.query('UPDATE NightlyCopy SET leaseUntil = UTC_TIMESTAMP(3) - INTERVAL 1 SECOND')
    expect(await new NightlyCopy({ ...ctx, metrics: unheard }).look(NIGHT)).toBe(true)
    const whole = textOf('2031-05-06-terse-links.jsonl.gz')
    goOn()
    await frozen
    expect(textOf('2031-05-06-terse-links.jsonl.gz')).toBe(whole)
    expect(readdirSync(copies).sort()).toEqual(['2031-05-06-terse-links.jsonl.gz', '2031-05-06-terse-redirects.jsonl.gz'])
    expect(await state()).toMatchObject({ night: '2031-05-06', failure: '' })
  })

  it('leaves nothing of those that were killed within it', async () => {
    mkdirSync(copies)
    const left = ['2031-05-05-terse-links.jsonl.gz.part', `2031-05-06-terse-links.jsonl.gz.${randomUUID()}.part`]
    for (const name of [...left, 'mine.part']) writeFileSync(join(copies, name), 'half')
    expect(await new NightlyCopy({ ...ctx, metrics: unheard }).look(NIGHT)).toBe(true)
    expect(readdirSync(copies)).toEqual(['2031-05-06-terse-links.jsonl.gz', '2031-05-06-terse-redirects.jsonl.gz', 'mine.part'])
  })

  it('is made once, whichever clocks the processes have, by that of the database', async () => {
    const nightly = new NightlyCopy({ ...ctx, metrics: unheard })
    expect(await nightly.look(NIGHT)).toBe(true)
    // By a clock that has not come so far, this one would be the night before.
    expect(await nightly.look(NIGHT - 1)).toBe(false)
    expect(await nightly.look(NIGHT)).toBe(false)
    await connection.query("UPDATE NightlyCopy SET night = ''")
    vi.useFakeTimers({ toFake: ['Date'], now: NIGHT })
    try {
      expect(await nightly.look()).toBe(true)
    } finally {
      vi.useRealTimers()
    }
    expect(nightOf(ctx.config.COPY_AT, Date.now())).toBe((await state()).night)
  })

  it('is made again once the clock, and a lease, were set back', async () => {
    const nightly = new NightlyCopy({ ...ctx, metrics: unheard })
    await connection.query("UPDATE NightlyCopy SET night = '2031-07-01', leaseUntil = UTC_TIMESTAMP(3) + INTERVAL 2 HOUR")
    expect(await nightly.look(NIGHT)).toBe(true)
    expect(await state()).toMatchObject({ night: '2031-05-06' })
  })
})

/** A process has one of each metric. */
const unheard = { gauge: () => {} } as never

describe('a bucket with the protocol of S3', () => {
  const BUCKET = 'terse-copies'
  let bucket: TestBucket
  const at = (prefix = '') => ({ origin: bucket.origin, bucket: BUCKET, prefix })
  const { signal } = new AbortController()

  beforeAll(async () => {
    bucket = await TestBucket.open(BUCKET)
  })

  async function* texts(...all: string[]) {
    yield* all
  }
  const read = (name: string) => gunzipSync(bucket.objects.get(name) ?? Buffer.alloc(0)).toString()

  it('takes a file by one request, lists and deletes it', async () => {
    const target = new S3Target(at('nightly/copies/'), S3_KEY)
    expect(await target.put('a~b (1).gz', texts('one', ' two'), signal)).toBeGreaterThan(20)
    for (const name of ['b.gz', 'c&d.gz', 'e.gz']) await target.put(name, texts(), signal)
    expect(await target.list(signal)).toEqual(['a~b (1).gz', 'b.gz', 'c&d.gz', 'e.gz'])
    expect(read('nightly/copies/a~b (1).gz')).toBe('one two')
    for (const name of ['b.gz', 'c&d.gz', 'e.gz', 'b.gz']) await target.remove(name, signal)
    expect(await target.list(signal)).toEqual(['a~b (1).gz'])
  })

  it('takes a file in parts, and has nothing of one that broke off', async () => {
    const target = new S3Target(at('parts/'), S3_KEY, 5 * 2 ** 20)
    // What gzip makes no smaller.
    const noise = Array.from({ length: 24 }, () => randomText(2 ** 19))
    const bytes = await target.put('large.gz', texts(...noise), signal)
    expect(bytes).toBeGreaterThan(6 * 2 ** 20)
    expect(read('parts/large.gz')).toBe(noise.join(''))
    async function* broken() {
      yield* noise
      throw new Error('the database went away')
    }
    await expect(target.put('broken.gz', broken(), signal)).rejects.toThrow('the database went away')
    expect(await target.list(signal)).toEqual(['large.gz'])
    expect([...bucket.uploads]).toEqual([])
  })

  it('refuses a wrong secret, which no message tells', async () => {
    const target = new S3Target(at(), { ...S3_KEY, secret: 'a wrong secret' })
    const error = await target.put('x.gz', texts('x'), signal).catch((reason: Error) => reason)
    expect(String(error)).toBe('S3Error: PUT of x.gz was answered 403 SignatureDoesNotMatch')
    const missing = new S3Target({ ...at(), bucket: 'no-such-bucket' }, S3_KEY)
    await expect(missing.list(signal)).rejects.toThrow('GET of the bucket was answered 404 NoSuchBucket')
  })

  it('gets the nightly copy', async () => {
    const nightly = new NightlyCopy({ ...ctx, metrics: unheard }, new S3Target(at('night/'), S3_KEY))
    expect(await nightly.look(NIGHT)).toBe(true)
    expect(read('night/2031-05-06-terse-links.jsonl.gz').trim().split('\n')).toHaveLength(2)
  })
})

/** Text of so many random bytes. */
const randomText = (bytes: number) => randomBytes(bytes).toString('base64')
