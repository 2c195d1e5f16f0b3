import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { vi } from 'vitest'
import type { Daemon } from '@/scripts/lib/daemon.mjs'
import { openDataFolder } from '@/scripts/lib/data-folder.mjs'
import { startRedis } from '@/scripts/lib/redis.mjs'
import { ensureTools } from '@/scripts/lib/tools.mjs'
import { atEnd } from './cleanup'

const SLOTS = 16_384

export interface RedisCluster {
  /** REDIS_URL: all of its nodes. */
  url: string
  nodes: readonly Daemon[]
  /** A connection to each node. */
  clients: readonly Redis[]
}

/** A Redis Cluster of three masters, with a password, ended when the file's tests are done. */
export async function testCluster(): Promise<RedisCluster> {
  const { redis: program = '' } = await ensureTools(['redis'])
  const secret = 'the same of all nodes'.replaceAll(' ', '-')
  const nodes: Daemon[] = []
  for (let i = 0; i < 3; i++) {
    const dir = mkdtempSync(join(tmpdir(), 'terse-unit-cluster-'))
    const folder = await openDataFolder(dir)
    const shared = { ...folder, secrets: { ...folder.secrets, redisPassword: secret } }
    const node = await startRedis(program, shared, { revive: false, debug: true, cluster: true })
    nodes.push(node)
    atEnd(async () => {
      await node.stop()
      folder.release()
      rmSync(dir, { recursive: true, force: true })
    })
  }
  const clients = nodes.map(({ url }) => new Redis(url))
  atEnd(() => {
    for (const client of clients) client.disconnect()
  })
  const share = Math.ceil(SLOTS / nodes.length)
  await Promise.all(
    clients.map((client, i) => client.call('CLUSTER', 'ADDSLOTSRANGE', i * share, Math.min(SLOTS, (i + 1) * share) - 1)),
  )
  for (const client of clients.slice(1)) {
    const [, busPort = ''] = (await client.config('GET', 'cluster-port')) as string[]
    await clients[0]?.call('CLUSTER', 'MEET', '127.0.0.1', client.options.port ?? 0, busPort)
  }
  await vi.waitFor(
    async () => {
      for (const client of clients) {
        const info = String(await client.call('CLUSTER', 'INFO'))
        if (!info.includes('cluster_state:ok') || !info.includes('cluster_known_nodes:3')) throw new Error(info)
      }
    },
    { timeout: 30_000 },
  )
  return { url: nodes.map(({ url }) => url.replace(/\/0$/, '')).join(','), nodes, clients }
}
