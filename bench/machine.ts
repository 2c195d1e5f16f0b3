import { readFileSync } from 'node:fs'
import os from 'node:os'
import { Redis } from 'ioredis'
import type { Backing } from './processor'
import { connect } from './world'

/** What the figures were measured on. */
export interface Machine {
  /** ISO 8601, UTC. */
  date: string
  cores: number
  cpu: string
  /** In GB. */
  memory: number
  system: string
  node: string
  database: string
  redis: string
}

export async function describeMachine(): Promise<Machine> {
  const connection = await connect()
  const [version]: { version: string }[] = await connection.query('SELECT VERSION() AS version')
  await connection.end()
  const redis = new Redis(process.env.REDIS_URL ?? '')
  const info = await redis.info('server')
  redis.disconnect()
  const cpus = os.cpus()
  return {
    date: new Date().toISOString(),
    cores: cpus.length,
    cpu: cpus[0]?.model.trim() ?? 'unknown',
    memory: Math.round(os.totalmem() / 1e9),
    system: `${os.type()} ${os.release()}`,
    node: process.version.slice(1),
    database: databaseName(version?.version ?? 'unknown'),
    redis: /^redis_version:(\S+)/m.exec(info)?.[1] ?? 'unknown',
  }
}

/** `10.11.6-MariaDB-0+deb12u1` as `MariaDB 10.11.6`. */
function databaseName(version: string): string {
  const [number] = version.split('-')
  return `${version.includes('MariaDB') ? 'MariaDB' : 'MySQL'} ${number}`
}

/** Process ids of the Redis and the database that this process's settings lead to; both run on this machine. */
export async function findBacking(): Promise<Backing> {
  const redis = new Redis(process.env.REDIS_URL ?? '')
  const info = await redis.info('server')
  redis.disconnect()
  const connection = await connect()
  const [row]: { file: string }[] = await connection.query('SELECT @@pid_file AS file')
  await connection.end()
  return { redis: Number(/^process_id:(\d+)/m.exec(info)?.[1]), database: Number(readFileSync(row?.file ?? '', 'utf8')) }
}
