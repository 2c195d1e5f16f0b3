/**
 * Private database and Redis servers in a folder, on free ports of the loopback interface: for the tests
 * and the benchmark.
 */

import { openDataFolder } from './lib/data-folder.mjs'
import { startPrivateServers } from './lib/private-servers.mjs'
import { Fault } from './lib/report.mjs'
import { ensureTools } from './lib/tools.mjs'

/**
 * A server, with `url`, `port`, `pid`, `start()`, `stop()` and `kill(signal)`. A stopped or killed one starts
 * again on the same port with the same data.
 *
 * @typedef {import('./lib/daemon.mjs').Daemon} Server
 */

/** @typedef {import('./lib/private-servers.mjs').Programs} AnyPrograms */
/** @typedef {AnyPrograms & { mariadb: string, redis: string }} Programs */

/**
 * The server programs that tests run on: those of TEST_PROGRAMS, which a run on other engines sets, else those that Terse itself
 * would use.
 *
 * @returns {Promise<Programs>}
 */
export async function serverPrograms() {
  const { TEST_PROGRAMS: given } = process.env
  return given ? JSON.parse(given) : await ensureTools(['mariadb', 'redis'])
}

/**
 * @typedef {object} Servers
 * @property {string} databaseUrl of a user who may also make databases whose names begin with `terse`
 * @property {string} redisUrl
 * @property {string} appSecret made for this folder, fit for APP_SECRET
 * @property {Server} mariadb MariaDB or MySQL
 * @property {Server} redis Redis or Valkey
 * @property {() => Promise<void>} stop stops both and lets go of the folder
 */

/**
 * Starts both servers, after installing them if need be and allowed.
 *
 * @param {object} options
 * @param {string} options.dir made if need be; data in it is kept and used again
 * @param {boolean} [options.debug] allow Redis's DEBUG command
 * @param {boolean} [options.sync] have the database wait until what it writes is on the disk; default: it does
 * @param {Programs} [options.programs] default: those of `serverPrograms`
 * @returns {Promise<Servers>}
 * @throws {Fault} when a server is missing, does not start, or the folder is in use
 */
export async function startServers({ dir, debug = false, sync = true, programs: given }) {
  const programs = given ?? (await serverPrograms())
  const folder = await openDataFolder(dir)
  try {
    const { mariadb, redis, stop } = await startPrivateServers(folder, programs, { revive: false, debug, sync })
    if (mariadb === undefined || redis === undefined) throw new Fault('only one of the two servers started.')
    return {
      databaseUrl: mariadb.url,
      redisUrl: redis.url,
      appSecret: folder.secrets.appSecret,
      mariadb,
      redis,
      stop: async () => {
        await stop()
        folder.release()
      },
    }
  } catch (error) {
    folder.release()
    throw error
  }
}
