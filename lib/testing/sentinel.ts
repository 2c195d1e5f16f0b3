import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { exchange, freePort } from '@/scripts/lib/loopback.mjs'
import { writeProcessRecord } from '@/scripts/lib/processes.mjs'
import { serverPrograms } from '@/scripts/servers.mjs'
import { atEnd } from './cleanup'

export const MASTER_NAME = 'terse-main'
const SENTINEL_PASSWORD = 'only for tests'

/** A connection for the test itself: a gateway leaves a server that only follows. */
export function controlOf(url: string): Redis {
  const client = new Redis(url, { maxRetriesPerRequest: null })
  client.on('error', () => {}) // its server is killed now and then
  atEnd(() => client.disconnect())
  return client
}

/** Makes `to` a replica of the server at `url`, and waits until it has all of its data. */
export async function replicate(url: string, to: Redis): Promise<void> {
  const { port, password } = new URL(url)
  const from = controlOf(url)
  await from.config('SET', 'repl-diskless-sync-delay', '0')
  await to.config('SET', 'masterauth', decodeURIComponent(password))
  await to.call('REPLICAOF', '127.0.0.1', port)
  for (let left = 1_000; !/master_link_status:up/.test(await to.info('replication')); left--) {
    if (left === 0) throw new Error('the replica is not in step')
    await delay(20)
  }
}

/**
 * A Sentinel that watches the server at `url` and its replicas, ended when the tests are done.
 * @returns the REDIS_URL that asks it
 */
export async function startSentinel(url: string): Promise<string> {
  const { port: master, password } = new URL(url)
  const dir = mkdtempSync(join(tmpdir(), 'terse-unit-sentinel-'))
  const port = await freePort()
  const config = join(dir, 'sentinel.conf')
  const lines = [
    'bind 127.0.0.1',
    `port ${port}`,
    `dir ${dir}`,
    `requirepass "${SENTINEL_PASSWORD}"`,
    `sentinel monitor ${MASTER_NAME} 127.0.0.1 ${master} 1`,
    `sentinel auth-pass ${MASTER_NAME} ${decodeURIComponent(password)}`,
    `sentinel down-after-milliseconds ${MASTER_NAME} 500`,
    `sentinel failover-timeout ${MASTER_NAME} 5000`,
  ]
  writeFileSync(config, `${lines.join('\n')}\n`, { mode: 0o600 })
  const { redis: program } = await serverPrograms()
  // Called by this name, redis-check-rdb is the server.
  const child = spawn(program, [config, '--sentinel'], { argv0: 'redis-server', stdio: 'ignore' })
  if (child.pid !== undefined) writeProcessRecord(join(dir, 'sentinel.pid'), child.pid)
  const ended = new Promise((resolve) => child.once('close', resolve))
  atEnd(async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(dir, { recursive: true, force: true })
  })
  const ask = `AUTH "${SENTINEL_PASSWORD}"\r\nSENTINEL replicas ${MASTER_NAME}\r\n`
  const knowsReplica = async () => {
    const answer = await exchange(
      port,
      ask,
      (received) => /\r\nflags\r\n/.test(received.toString()) || /\*0\r\n/.test(received.toString()),
    )
    return /\r\nflags\r\n/.test(answer.toString())
  }
  for (let left = 500; !(await knowsReplica().catch(() => false)); left--) {
    if (left === 0) throw new Error('the Sentinel does not know the replica')
    await delay(40)
  }
  const query = new URLSearchParams({ sentinel_password: SENTINEL_PASSWORD })
  return `redis+sentinel://:${password}@127.0.0.1:${port},127.0.0.1:1/${MASTER_NAME}/0?${query}`
}
