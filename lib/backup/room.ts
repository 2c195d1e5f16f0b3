import { setTimeout as delay } from 'node:timers/promises'
import type { Connection } from 'mariadb'
import { isGalera } from '@/lib/db/galera'
import { RESTORE_TABLE } from '@/lib/db/migrate'
import { LEASE_INTERVAL } from '@/lib/db/node-lease'
import { tablesOf } from './tables'

/**
 * @param own connections of this restore
 * @param overwrite whether data may be deleted
 * @throws Error when the database is in use, or holds what nobody said may be deleted
 */
export async function requireRoom(connection: Connection, own: readonly Connection[], overwrite: boolean): Promise<void> {
  const others = await otherConnections(connection, own)
  if (others > 0) throw inUse(`${others} other connections`)
  const tables = await tablesOf(connection)
  if (tables.includes('IdNode') && (await isGalera(connection)) && (await makesIds(connection)))
    throw inUse('by a process at another node of the cluster')
  if (overwrite || (await isHalfRestored(connection))) return
  if (tables.length > 0)
    throw new Error('the database is not empty. With --overwrite, what Terse has there is deleted and replaced by the backup')
}

const inUse = (by: string) => new Error(`the database is in use (${by}). Stop every process of Terse first`)

/** Those that this server knows: of a cluster, those of this node. */
async function otherConnections(connection: Connection, own: readonly Connection[]): Promise<number> {
  const all = await connection.query<{ db: string | null; Id: bigint | number }[]>('SHOW PROCESSLIST')
  const [here] = await connection.query<{ db: string }[]>('SELECT DATABASE() AS db')
  const ours = new Set(own.map(({ threadId }) => Number(threadId)))
  return all.filter(({ db, Id }) => db === here?.db && !ours.has(Number(Id))).length
}

/** Whether a process reserves times for its ids (NodeLease), at whatever node: each does so again and again. */
async function makesIds(connection: Connection): Promise<boolean> {
  const reserved = async () =>
    JSON.stringify(await connection.query('SELECT node, CAST(reservedTo AS CHAR) FROM IdNode ORDER BY node'))
  const before = await reserved()
  await delay(2 * LEASE_INTERVAL)
  return (await reserved()) !== before
}

async function isHalfRestored(connection: Connection): Promise<boolean> {
  return (await connection.query<unknown[]>('SHOW TABLES LIKE ?', [RESTORE_TABLE.replaceAll('_', '\\_')])).length > 0
}
