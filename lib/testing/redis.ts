import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { RedisClient } from '@/lib/redis/gateway'
import { RedisGateway } from '@/lib/redis/gateway'
import type { Daemon } from '@/scripts/lib/daemon.mjs'
import { openDataFolder } from '@/scripts/lib/data-folder.mjs'
import { startPrivateServers } from '@/scripts/lib/private-servers.mjs'
import { serverPrograms } from '@/scripts/servers.mjs'
import { atEnd } from './cleanup'
import { eventually } from './eventually'

/**
 * A Redis server of this test file's own, ended when its tests are done; it can be killed and started again.
 * A server and not a database number: scripts use fixed keys, and pub/sub knows no database numbers.
 */
export async function testRedis(): Promise<Daemon> {
  const { redis, stop } = await ownRedis()
  atEnd(stop)
  return redis
}

/** The same, ended by `stop`. What it writes is in `dir`. */
export async function ownRedis(): Promise<{ redis: Daemon; dir: string; stop: () => Promise<void> }> {
  const dir = mkdtempSync(join(tmpdir(), 'terse-unit-redis-'))
  const { redis: program, redisArgs } = await serverPrograms()
  const folder = await openDataFolder(dir)
  const { redis, stop } = await startPrivateServers(folder, { redis: program, redisArgs }, { revive: false, debug: true })
  if (!redis) throw new Error('Redis was not started')
  const end = async () => {
    await stop()
    folder.release()
    rmSync(dir, { recursive: true, force: true })
  }
  return { redis, dir, stop: end }
}

/** A gateway that waits long enough for a busy machine: for tests of anything but the timeout itself. */
export class PatientRedis extends RedisGateway {
  override use<T>(work: (client: RedisClient) => Promise<T>): Promise<T> {
    return super.use(work, 15_000)
  }
}

/** A connected gateway, closed when the file's tests are done. */
export async function openRedis(url: string): Promise<PatientRedis> {
  const redis = new PatientRedis(url)
  atEnd(() => redis.close())
  if (!(await redis.connected(10_000))) throw new Error('the test Redis does not answer')
  return redis
}

/**
 * Copies what a server has on disk, while it runs.
 * @returns ends the server as a power cut would, and starts it on that copy
 */
export async function copyOf(server: Daemon, redis: RedisGateway): Promise<() => Promise<void>> {
  // While the disk is busy, Redis keeps to itself what it has answered already.
  await eventually(async () => {
    const info = await redis.client.info('persistence')
    for (const kept of ['aof_buffer_length', 'aof_pending_bio_fsync']) expect(info).toContain(`${kept}:0\r\n`)
  })
  const [, dir = ''] = (await redis.client.config('GET', 'dir')) as string[]
  const copy = mkdtempSync(join(tmpdir(), 'terse-unit-redis-copy-'))
  atEnd(() => rmSync(copy, { recursive: true, force: true }))
  cpSync(dir, copy, { recursive: true })
  return async () => {
    await server.kill('SIGKILL')
    rmSync(dir, { recursive: true, force: true })
    cpSync(copy, dir, { recursive: true })
    await server.start()
    if (!(await redis.connected(10_000))) throw new Error('the test Redis does not answer on its old copy')
  }
}
