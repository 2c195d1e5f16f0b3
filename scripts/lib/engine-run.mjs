/** Runs tests on the servers and the Node of an engine. */

import { mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { makeCertificates } from './certificates.mjs'
import { exchange } from './loopback.mjs'
import { run } from './processes.mjs'
import { Fault } from './report.mjs'
import { withTemporaryServers } from './temporary-servers.mjs'
import { ensureTools } from './tools.mjs'

/** @typedef {import('./runners.mjs').Context} Context */
/** @typedef {{ node: string, database: string, redis: string }} Versions as the servers and Node say themselves */

/**
 * @template T
 * @param {string} name
 * @param {import('./engines.mjs').Found} found
 * @param {Context} context
 * @param {(context: Context, versions: Versions) => Promise<T>} work given a context in which tests run on these
 * @returns {Promise<T>}
 */
export async function onEngine(name, found, context, work) {
  const { signal } = context
  const usual = await ensureTools(['mariadb', 'redis'], signal)
  const programs = { ...usual, ...found.programs, ...(found.tls && (await withTls(signal))) }
  return await withTemporaryServers(
    name,
    signal,
    async (servers) => {
      const env = {
        ...context.env,
        TEST_DATABASE_URL: servers.databaseUrl,
        TEST_REDIS_URL: servers.redisUrl,
        TEST_PROGRAMS: JSON.stringify(programs),
      }
      const node = found.node ?? process.execPath
      const versions = {
        node: (await run(node, ['--version'])).trim().replace(/^v/, ''),
        database: await databaseVersion(servers.mariadb.port),
        redis: await redisVersion(servers.redisUrl),
      }
      return await work({ ...context, env, node }, versions)
    },
    programs,
  )
}

/** @param {AbortSignal} signal @returns {Promise<Pick<import('../servers.mjs').Programs, 'mariadbArgs' | 'mariadbQuery'>>} */
async function withTls(signal) {
  // Inside of the folder of the run, with which it is removed.
  const { ca, cert, key } = await makeCertificates(mkdtempSync(path.join(os.tmpdir(), 'terse-certificates-')), signal)
  const args = ['--require-secure-transport=ON', `--ssl-ca=${ca}`, `--ssl-cert=${cert}`, `--ssl-key=${key}`]
  return { mariadbArgs: args, mariadbQuery: `?ssl-mode=VERIFY_IDENTITY&ssl-ca=${encodeURIComponent(ca)}` }
}

/**
 * By the greeting of the server, which needs no account.
 *
 * @param {number} port
 * @returns {Promise<string>} such as `MySQL 9.7.4` or `MariaDB 11.8.6`
 */
export async function databaseVersion(port) {
  const packet = await exchange(port, '', (received) => received.length > 4 && received.includes(0, 5))
  // 4 bytes of length and number, one of the protocol, then the version to the first zero. MariaDB 10 puts `5.5.5-` before its own.
  const text = packet
    .subarray(5, packet.indexOf(0, 5))
    .toString()
    .replace(/^5\.5\.5-/, '')
  const [number = ''] = /^[\d.]+/.exec(text) ?? []
  if (number === '') throw new Fault(`the database on port ${port} does not say its version.`)
  return `${text.includes('MariaDB') ? 'MariaDB' : 'MySQL'} ${number}`
}

/**
 * @param {string} url
 * @returns {Promise<string>} such as `Valkey 9.1.2` or `Redis 7.0.15 with RedisBloom 2.4.23`
 */
export async function redisVersion(url) {
  const { port, password } = new URL(url)
  const ask = `AUTH ${password}\r\nINFO server\r\nINFO modules\r\nPING\r\n`
  const text = (await exchange(Number(port), ask, (received) => received.includes('+PONG'))).toString()
  const of = (/** @type {RegExp} */ pattern) => pattern.exec(text)?.[1]
  const valkey = of(/valkey_version:([\d.]+)/)
  const bloom = of(/module:name=bf,ver=(\d+)/)
  const number = Number(bloom)
  const version = [number / 10_000, (number / 100) % 100, number % 100].map(Math.floor).join('.')
  const server = valkey ? `Valkey ${valkey}` : `Redis ${of(/redis_version:([\d.]+)/)}`
  return bloom ? `${server} with RedisBloom ${version}` : server
}
