import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { vi } from 'vitest'
import type { Daemon } from '@/scripts/lib/daemon.mjs'
import { openDataFolder } from '@/scripts/lib/data-folder.mjs'
import { startRedis } from '@/scripts/lib/redis.mjs'
import { serverPrograms } from '@/scripts/servers.mjs'
import { atEnd } from './cleanup'

const SLOTS = 16_384

export interface RedisCluster {
  /** REDIS_URL: all of its nodes. */
  url: string
  /** Masters first, then the replica of each in the same order, where there are replicas. */
  nodes: readonly Daemon[]
  /** A connection to each node. */
  clients: readonly Redis[]
}

const MASTERS = 3

/**
 * A Redis Cluster of three masters, with a password, ended when the file's tests are done.
 * @param replicas whether each master has a replica that takes over for it
 */
export async function testCluster({ replicas = false } = {}): Promise<RedisCluster> {
  const { redis: program, redisArgs: args } = await serverPrograms()
  const secret = 'the same of all nodes'.replaceAll(' ', '-')
  const nodes: Daemon[] = []
  for (let i = 0; i < (replicas ? 2 * MASTERS : MASTERS); i++) {
    const dir = mkdtempSync(join(tmpdir(), 'terse-unit-cluster-'))
    const folder = await openDataFolder(dir)
    const shared = { ...folder, secrets: { ...folder.secrets, redisPassword: secret } }
    const node = await startRedis(program, shared, { revive: false, debug: true, cluster: true, args })
    nodes.push(node)
    atEnd(async () => {
      await node.stop()
      folder.release()
      rmSync(dir, { recursive: true, force: true })
    })
  }
  const clients = nodes.map(({ url }) => new Redis(url))
  // Its server is killed now and then.
  for (const client of clients) client.on('error', () => {})
  atEnd(() => {
    for (const client of clients) client.disconnect()
  })
  const share = Math.ceil(SLOTS / MASTERS)
  await Promise.all(
    clients.map(async (client, i) => {
      if (i < MASTERS) await client.call('CLUSTER', 'ADDSLOTSRANGE', i * share, Math.min(SLOTS, (i + 1) * share) - 1)
    }),
  )
  for (const client of clients.slice(1)) {
    const [, busPort = ''] = (await client.config('GET', 'cluster-port')) as string[]
    await clients[0]?.call('CLUSTER', 'MEET', '127.0.0.1', client.options.port ?? 0, busPort)
  }
  await inStep(clients)
  for (const [i, client] of clients.slice(MASTERS).entries()) {
    await client.call('CLUSTER', 'REPLICATE', String(await clients[i]?.call('CLUSTER', 'MYID')))
  }
  if (replicas) await replicated(clients.slice(0, MASTERS))
  return { url: nodes.map(({ url }) => url.replace(/\/0$/, '')).join(','), nodes, clients }
}

/** Until all nodes know of all. */
async function inStep(clients: readonly Redis[]): Promise<void> {
  await vi.waitFor(
    async () => {
      for (const client of clients) {
        const info = String(await client.call('CLUSTER', 'INFO'))
        if (!info.includes('cluster_state:ok') || !info.includes(`cluster_known_nodes:${clients.length}`)) throw new Error(info)
      }
    },
    { timeout: 30_000 },
  )
}

/** Until each of these masters has a replica in step with it. */
export async function replicated(masters: readonly Redis[]): Promise<void> {
  await vi.waitFor(
    async () => {
      // WAIT speaks of what its connection wrote.
      for (const master of masters) {
        await master.call('PUBLISH', 'in step', '')
        if ((await master.wait(1, 50)) < 1) throw new Error('a master has no replica')
        if (!/state=online/.test(await master.info('replication'))) throw new Error('a replica is not online')
      }
    },
    { timeout: 30_000 },
  )
}
