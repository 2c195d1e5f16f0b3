import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Registry as MetricsRegistry } from 'prom-client'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { atEnd } from '@/lib/testing/cleanup'
import { shiftableClock } from '@/lib/testing/clock'
import { capturedClick, entryOf } from '@/lib/testing/counting'
import { eventually } from '@/lib/testing/eventually'
import { SILENT } from '@/lib/testing/links'
import { closedPort, proxyTo } from '@/lib/testing/proxy'
import { openRedis, PatientRedis, testRedis } from '@/lib/testing/redis'
import { timedId } from '@/lib/tools/timed-id'
import { Backlog } from './backlog'
import { createClickMetrics } from './metrics'
import { Replay } from './replay'
import { FILE_LIFETIME, Spool } from './spool'
import { SPOOL_SUFFIX } from './spool-file'
import { ALL_PARTITIONS, decodeBatch, partitionKeys } from './stream'

const server = await testRedis()
const redis = await openRedis(server.url)
const LIMIT = 100 * 1024 * 1024

beforeEach(() => redis.client.flushall())

/** A process with a spool: its own folder, or one it shares. */
function replayer({ dir = folder(), gateway = redis, limit = LIMIT, replicas = 0 } = {}) {
  const spool = new Spool(dir)
  const backlog = new Backlog(gateway, limit, SILENT)
  const metrics = createClickMetrics(new MetricsRegistry())
  const replay = new Replay({ dir, spool, redis: gateway, replicas, backlog, metrics, log: SILENT })
  atEnd(() => {
    replay.close()
    return spool.close()
  })
  const replayed = async () => (await metrics.replayed.get()).values[0]?.value
  return { dir, spool, backlog, replay, replayed }
}

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'terse-unit-replay-'))
  atEnd(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

const lineOf = (given = {}, id = timedId(Date.now())) => entryOf([capturedClick(given)], id).join(' ')
const linesOf = (count: number) => Array.from({ length: count }, () => lineOf())

/** A file that a process left behind so many ms ago. */
function leave(dir: string, text: string, age = 60_000, name = `${Date.now()}-left${SPOOL_SUFFIX}`): string {
  const path = join(dir, name)
  writeFileSync(path, text)
  const then = (Date.now() - age) / 1000
  utimesSync(path, then, then)
  return path
}

/** Makes all files look as they do once the clock has jumped, or the machine has slept. */
const age = (dir: string) => {
  for (const name of readdirSync(dir)) {
    try {
      utimesSync(join(dir, name), 0, 0)
    } catch {
      // gone meanwhile
    }
  }
}

/** Lines as they lie in the streams, sorted. */
async function arrived(): Promise<string[]> {
  const entries = await Promise.all(
    ALL_PARTITIONS.map((partition) => redis.client.xrange(partitionKeys(partition).stream, '-', '+')),
  )
  return entries
    .flat()
    .map(([, [, id, , clicks]]) => `${id} ${clicks}`)
    .sort()
}

/** How many times this process has the file open. */
const openTimes = (path: string) =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === path
    } catch {
      return false // closed meanwhile
    }
  }).length

describe('the spool', () => {
  it('comes back to Redis as it is, over all partitions, and its files are gone', async () => {
    const { dir, replay, replayed } = replayer()
    const lines = linesOf(1_234)
    leave(dir, `${lines.slice(0, 1_000).join('\n')}\n`, 60_000, `1-a${SPOOL_SUFFIX}`)
    leave(dir, `${lines.slice(1_000).join('\n')}\n`, 60_000, `2-b${SPOOL_SUFFIX}`)
    await replay.once()
    expect(await arrived()).toEqual(lines.toSorted())
    expect(readdirSync(dir)).toEqual([])
    for (const partition of ALL_PARTITIONS) expect(await redis.client.xlen(partitionKeys(partition).stream)).toBeGreaterThan(100)
    expect(await replayed()).toBe(1_234)
  })

  it('comes back whatever characters clicks have', async () => {
    const { dir, replay } = replayer()
    const referrer = '\0\r\n\u0085\u2028\u2029"\\\ud800😀'
    const line = lineOf({ referrer })
    leave(dir, `${line}\n${lineOf()}\n`)
    await replay.once()
    const whole = (await arrived()).find((text) => text.startsWith(line.slice(0, 32)))
    expect(decodeBatch(whole?.slice(0, 32), whole?.slice(33)).clicks[0]?.referrer).toBe(referrer)
  })

  it('without the line that its process did not get to write to the end', async () => {
    const { dir, replay } = replayer()
    const lines = linesOf(3)
    leave(dir, `${lines.join('\n')}\n${lineOf().slice(0, -10)}`)
    await replay.once()
    expect(await arrived()).toEqual(lines.toSorted())
    expect(readdirSync(dir)).toEqual([])
  })

  it.each(['', '\n', '\0\0\0\0', 'not a batch\n', `${timedId(1)}\n`])('that holds but %j is cleared away', async (text) => {
    const { dir, replay } = replayer()
    leave(dir, text)
    await replay.once()
    expect(await arrived()).toEqual([])
    expect(readdirSync(dir)).toEqual([])
  })

  it('brought back twice is in the streams twice under the same ids, by which it is counted once', async () => {
    const { dir, replay } = replayer()
    const lines = linesOf(5)
    for (let i = 0; i < 2; i++) {
      leave(dir, `${lines.join('\n')}\n`)
      await replay.once()
    }
    expect(await arrived()).toEqual([...lines, ...lines].sort())
  })

  it('comes back by itself once started', async () => {
    const { dir, replay } = replayer()
    await replay.start()
    const path = leave(dir, `${lineOf()}\n`)
    await eventually(() => expect(readdirSync(dir)).not.toContain(path.split('/').at(-1)))
    expect(await arrived()).toHaveLength(1)
  })

  it('that does not exist is nothing to bring', async () => {
    const { replay } = replayer({ dir: join(folder(), 'never made') })
    await expect(replay.once()).resolves.toBeUndefined()
  })
})

describe('a file of the spool', () => {
  it('that another process may still write to is left alone, and brought once it is abandoned', async () => {
    const { dir, replay } = replayer()
    const path = leave(dir, `${lineOf()}\n`, FILE_LIFETIME * 2)
    await replay.once()
    expect(readdirSync(dir)).toHaveLength(1)
    const then = Date.now() / 1000 - 60
    utimesSync(path, then, then)
    await replay.once()
    expect(readdirSync(dir)).toEqual([])
    expect(await arrived()).toHaveLength(1)
  })

  it('of the process itself is brought as soon as it is done with it, and not before', async () => {
    const clock = shiftableClock()
    const { dir, spool, replay } = replayer()
    await spool.append(lineOf())
    await replay.once()
    expect(readdirSync(dir)).toHaveLength(1)
    clock.forward(FILE_LIFETIME)
    await replay.once()
    expect(readdirSync(dir)).toEqual([])
    expect(await arrived()).toHaveLength(1)
    await spool.append(lineOf())
    expect(readdirSync(dir)).toHaveLength(1)
  })

  it('that cannot be read keeps no other waiting', async () => {
    const { dir, replay } = replayer()
    const broken = join(dir, `0-broken${SPOOL_SUFFIX}`)
    mkdirSync(broken)
    utimesSync(broken, 0, 0)
    const line = lineOf()
    leave(dir, `${line}\n`)
    await replay.once()
    expect(await arrived()).toEqual([line])
    expect(readdirSync(dir)).toEqual([`0-broken${SPOOL_SUFFIX}`])
  })

  it('of another kind is nobody’s business here', async () => {
    const { dir, replay } = replayer()
    leave(dir, `${lineOf()}\n`, 60_000, 'notes.txt')
    await replay.once()
    expect(readdirSync(dir)).toEqual(['notes.txt'])
  })

  it('is brought whole by two processes that find it at the same time', async () => {
    const dir = folder()
    const lines = linesOf(2_000)
    leave(dir, `${lines.join('\n')}\n`)
    const both = [replayer({ dir }), replayer({ dir })]
    await Promise.all(both.map(({ replay }) => replay.once()))
    for (const { replay } of both) await replay.once()
    expect([...new Set(await arrived())]).toEqual(lines.toSorted())
    expect(readdirSync(dir)).toEqual([])
  })

  it('that another process has taken is no error, whenever that is noticed', async () => {
    const proxy = await proxyTo(server.url)
    const dir = folder()
    const lines = linesOf(30)
    for (const [i, line] of lines.entries()) leave(dir, `${line}\n`, 60_000, `${i}-left${SPOOL_SUFFIX}`)
    const slow = replayer({ dir, gateway: await openRedis(proxy.url) })
    const complaints = vi.spyOn(SILENT, 'error')
    proxy.hold()
    const under = slow.replay.once()
    await eventually(async () => expect(await arrived()).toHaveLength(1), 1)
    // What the slow one has in hand looks abandoned, as after a long pause of its machine; all else is, too.
    age(dir)
    await replayer({ dir }).replay.once()
    expect(readdirSync(dir)).toEqual([])
    proxy.release()
    await under
    expect(complaints).not.toHaveBeenCalled()
    expect([...new Set(await arrived())]).toEqual(lines.toSorted())
  })
})

describe('a file that is written to', () => {
  it.each(['another process', 'the process itself'])(
    'loses no line to a replay by %s, however old the clock makes it',
    async (who) => {
      const { dir, spool, replay } = replayer()
      const other = who === 'another process' ? replayer({ dir }).replay : replay
      const lines = linesOf(4)
      for (const line of lines) {
        await spool.append(line)
        age(dir)
        await other.once()
      }
      await spool.close()
      age(dir)
      await replay.once()
      expect([...new Set(await arrived())]).toEqual(lines.toSorted())
      expect(readdirSync(dir)).toEqual([])
    },
  )

  it('loses no line while others take files from under it all the time', async () => {
    const { dir, spool, replay } = replayer()
    const others = [replay, replayer({ dir }).replay, replayer({ dir }).replay]
    const lines = linesOf(1_000)
    let isOver = false
    const taking = others.map(async (other) => {
      while (!isOver) {
        age(dir)
        await other.once()
      }
    })
    for (let i = 0; i < lines.length; i += 4) await Promise.all(lines.slice(i, i + 4).map((line) => spool.append(line)))
    isOver = true
    await Promise.all(taking)
    await spool.close()
    age(dir)
    await replay.once()
    expect([...new Set(await arrived())]).toEqual(lines.toSorted())
    expect(readdirSync(dir)).toEqual([])
  })
})

describe('a replay that is broken off', () => {
  it('by a Redis that is away keeps the file, and keeps it open no longer', async () => {
    const away = new PatientRedis(await closedPort(server.url))
    atEnd(() => away.close())
    const { dir, replay } = replayer({ gateway: away })
    const text = `${linesOf(3_000).join('\n')}\n`
    leave(dir, text)
    for (let i = 0; i < 3; i++) await expect(replay.once()).rejects.toThrow(Error)
    const [path = ''] = readdirSync(dir).map((name) => join(dir, name))
    expect(readFileSync(path, 'utf8')).toBe(text)
    await eventually(() => expect(openTimes(path)).toBe(0))
  })

  it('by streams that are full goes on where it was once there is room', async () => {
    const { dir, replay, backlog, replayed } = replayer({ limit: 1024 * 1024 })
    const lines = linesOf(1_000)
    leave(dir, `${lines.join('\n')}\n`)
    backlog.bytes = 600 * 1024
    await replay.once()
    expect(await arrived()).toEqual([])
    backlog.bytes = 0
    // As the measure once a second would find in the middle of it.
    vi.spyOn(backlog, 'isRoomy', 'get').mockReturnValueOnce(true).mockReturnValueOnce(true).mockReturnValue(false)
    await expect(replay.once()).rejects.toThrow('broken off')
    expect((await arrived()).length).toBe(400)
    const [left = ''] = readdirSync(dir)
    await eventually(() => expect(openTimes(join(dir, left))).toBe(0))
    // Another process sees that somebody is at it, however long there is no room.
    age(dir)
    backlog.bytes = 600 * 1024
    await replay.once()
    await replayer({ dir }).replay.once()
    backlog.bytes = 0
    expect(readdirSync(dir)).toEqual([left])
    vi.restoreAllMocks()
    await replay.once()
    expect(await arrived()).toEqual(lines.toSorted())
    expect(await replayed()).toBe(1_000)
    expect(readdirSync(dir)).toEqual([])
  })

  it('by a connection that is lost brings every line all the same', async () => {
    const proxy = await proxyTo(server.url)
    const gateway = await openRedis(proxy.url)
    const { dir, replay } = replayer({ gateway })
    const lines = linesOf(20_000)
    leave(dir, `${lines.join('\n')}\n`)
    const broken = expect(replay.once()).rejects.toThrow(Error)
    await eventually(async () => expect((await arrived()).length).toBeGreaterThan(0), 1)
    await proxy.cut()
    await broken
    expect(readdirSync(dir)).toHaveLength(1)
    await proxy.mend()
    await vi.waitFor(() => replay.once(), { timeout: 15_000 })
    expect([...new Set(await arrived())]).toEqual(lines.toSorted())
    expect(readdirSync(dir)).toEqual([])
  })
})
