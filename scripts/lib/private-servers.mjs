import { startMariadb } from './mariadb.mjs'
import { startRedis } from './redis.mjs'

/** @typedef {import('./daemon.mjs').Daemon} Daemon */
/** @typedef {Partial<Record<'mariadb' | 'redis', string>>} Programs the server programs, by what they serve */

/**
 * Starts the servers whose programs are given, both at the same time. When one fails, neither is left.
 *
 * @param {import('./data-folder.mjs').DataFolder} folder
 * @param {Programs} programs
 * @param {{ revive: boolean, debug: boolean, sync?: boolean }} options `revive` starts a server that ends by itself again;
 *   `debug` allows Redis's DEBUG command; `sync: false` has the database not wait for the disk
 * @returns {Promise<{ mariadb?: Daemon, redis?: Daemon, stop: () => Promise<void> }>}
 */
export async function startPrivateServers(folder, programs, options) {
  const results = await Promise.allSettled([
    programs.mariadb === undefined ? undefined : startMariadb(programs.mariadb, folder, options),
    programs.redis === undefined ? undefined : startRedis(programs.redis, folder, options),
  ])
  const [mariadb, redis] = results.map((result) => (result.status === 'fulfilled' ? result.value : undefined))
  const stop = async () => {
    await redis?.stop()
    await mariadb?.stop()
  }
  for (const result of results) {
    if (result.status === 'rejected') {
      await stop()
      throw result.reason
    }
  }
  return { mariadb, redis, stop }
}
