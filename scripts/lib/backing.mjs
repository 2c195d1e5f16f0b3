/** What the app stands on: a database, a Redis and a secret, of the settings or private ones. */

import { startPrivateServers } from './private-servers.mjs'
import { Interrupted, step } from './report.mjs'
import { ensureTools } from './tools.mjs'

/**
 * @typedef {object} Backing
 * @property {string} databaseUrl
 * @property {string} redisUrl
 * @property {string} [appSecret] unless the app finds it by itself, or has to ask for it
 */

/** @typedef {import('./data-folder.mjs').DataFolder} DataFolder */

/**
 * What the settings themselves say. An empty variable counts as unset.
 *
 * @returns {Partial<Backing>}
 */
export function givenBacking() {
  const { DATABASE_URL, REDIS_URL, APP_SECRET } = process.env
  return {
    ...(DATABASE_URL ? { databaseUrl: DATABASE_URL } : {}),
    ...(REDIS_URL ? { redisUrl: REDIS_URL } : {}),
    ...(APP_SECRET ? { appSecret: APP_SECRET } : {}),
  }
}

/**
 * Provides what the app stands on for as long as `work` takes: what the settings name, or private servers
 * where they name none.
 *
 * @param {DataFolder} folder
 * @param {AbortSignal} signal
 * @param {() => Promise<void>} prepare done while the servers start
 * @param {(backing: Backing) => Promise<number>} work
 * @returns {Promise<number>} what `work` returns
 */
export async function withBacking(folder, signal, prepare, work) {
  const given = givenBacking()
  /** @type {('mariadb' | 'redis')[]} */
  const missing = []
  if (given.databaseUrl === undefined) missing.push('mariadb')
  if (given.redisUrl === undefined) missing.push('redis')

  const programs = await ensureTools(missing, signal)
  const start = () => startPrivateServers(folder, programs, { revive: true, debug: false })
  const [servers, prepared] = await Promise.allSettled([
    missing.length === 0 ? start() : step('private servers', start),
    prepare(),
  ])
  try {
    if (servers.status === 'rejected') throw servers.reason
    if (prepared.status === 'rejected') throw prepared.reason
    if (signal.aborted) throw new Interrupted()
    const { mariadb, redis } = servers.value
    const backing = {
      databaseUrl: mariadb?.url ?? given.databaseUrl ?? '',
      redisUrl: redis?.url ?? given.redisUrl ?? '',
      appSecret: given.appSecret ?? (hasPrivateSecret() ? folder.secrets.appSecret : undefined),
    }
    folder.publish(backing)
    return await work(backing)
  } finally {
    if (servers.status === 'fulfilled' && missing.length > 0) await step('servers stopped', servers.value.stop)
  }
}

/**
 * Whether the app has the folder's own secret, which goes with the folder's own database. A database of the settings may be shared
 * with other machines, on which this secret is not known: there it has to be set, and the app says so.
 */
export function hasPrivateSecret() {
  const { DATABASE_URL, APP_SECRET, APP_SECRET_FILE } = process.env
  return !DATABASE_URL && !APP_SECRET && !APP_SECRET_FILE
}
