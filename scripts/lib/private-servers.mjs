import { startMariadb } from './mariadb.mjs'
import { startRedis } from './redis.mjs'

/** @typedef {import('./daemon.mjs').Daemon} Daemon */
/**
 * @typedef {object} Programs the server programs, by what they serve, and how they are started
 * @property {string} [mariadb]
 * @property {string[]} [mariadbArgs] more arguments, which win over Terse's own
 * @property {string} [mariadbQuery] what its URL ends with, such as `?ssl-ca=/etc/ca.pem`
 * @property {string} [redis]
 * @property {string[]} [redisArgs]
 */

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
    programs.mariadb === undefined
      ? undefined
      : startMariadb(programs.mariadb, folder, { ...options, args: programs.mariadbArgs, query: programs.mariadbQuery }),
    programs.redis === undefined ? undefined : startRedis(programs.redis, folder, { ...options, args: programs.redisArgs }),
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
