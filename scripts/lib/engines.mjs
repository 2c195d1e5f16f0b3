/**
 * The engines that Terse is tested on (docs/engines.md), and where each is had: a program that a setting names, this machine's
 * own, or one that is unpacked into a cache folder.
 */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { cacheFolder, unpackedPackages } from './debian-packages.mjs'
import { reason, run } from './processes.mjs'
import { Fault, Interrupted, print } from './report.mjs'
import { ensureTools, findProgram } from './tools.mjs'

/** @typedef {import('../servers.mjs').Programs} Programs */
/** @typedef {import('./engine-parts.mjs').PartName} PartName */

/**
 * @typedef {object} Found
 * @property {Partial<Programs>} [programs] instead of this machine's own
 * @property {string} [node] the program, instead of the one that runs this
 * @property {boolean} [tls] the database takes no connection without TLS
 */

/** @typedef {{ missing: string }} Missing why it cannot be had */

/**
 * @typedef {object} Engine
 * @property {string} title
 * @property {PartName} part which tests prove it
 * @property {(signal: AbortSignal) => Promise<Found | Missing>} find
 */

/**
 * Where a server program is had.
 *
 * @typedef {object} Source
 * @property {'mariadb' | 'redis'} kind
 * @property {string} setting that names a program of one's own
 * @property {string} family what `setting` has to be
 * @property {string[]} programs their names, the one of the packages first
 * @property {RegExp} is what `--version` of this family prints
 * @property {RegExp} version of those the one that is meant
 * @property {import('./debian-packages.mjs').Packages} [packages]
 */

const MYSQL = { kind: /** @type {const} */ ('mariadb'), setting: 'TEST_MYSQLD', family: 'a MySQL server', programs: ['mysqld'] }
const MARIADB = {
  kind: /** @type {const} */ ('mariadb'),
  setting: 'TEST_MARIADBD',
  family: 'a MariaDB server',
  programs: ['mariadbd'],
  is: /Ver \S+-MariaDB/,
}
const REDIS = {
  kind: /** @type {const} */ ('redis'),
  setting: 'TEST_REDIS_SERVER',
  family: 'a Redis or Valkey server',
  is: /^(?:Redis|Valkey) server v=/m,
}

/** @type {Source} */
const mysql = {
  ...MYSQL,
  is: /Ver (?!\S+-MariaDB)\S+ /,
  version: /Ver/,
  packages: { release: 'sid', names: ['mysql-server-core'] },
}
/** @type {Source} */
const redis7 = { ...REDIS, programs: ['redis-server', 'redis-check-rdb'], version: /Redis server v=7\.0/ }
/** @type {Source} */
const valkey = {
  ...REDIS,
  programs: ['valkey-server'],
  version: /Valkey server v=/,
  packages: { release: 'sid', names: ['valkey-server'] },
}

/** Its default; Terse starts its own servers with what MariaDB knows of it. */
const MYSQL_MODE =
  'ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'

/** @type {Record<string, Engine>} */
export const ENGINES = {
  'mariadb-10.11': {
    title: 'MariaDB 10.11',
    part: 'database',
    find: server({ ...MARIADB, ...debian('bookworm'), version: /Ver 10\.11/ }),
  },
  'mariadb-11.8': {
    title: 'MariaDB 11.8',
    part: 'database',
    find: server({ ...MARIADB, ...debian('trixie'), version: /Ver 11\.8/ }),
  },
  mysql: { title: 'MySQL', part: 'database', find: server(mysql, { mariadbArgs: [`--sql-mode=${MYSQL_MODE}`] }) },
  // Without a strict mode, Terse does not start (lib/db/migrate.ts).
  'mysql-mode': {
    title: 'MySQL, sql_mode ANSI and strict',
    part: 'sql',
    find: server(mysql, { mariadbArgs: ['--sql-mode=ANSI,TRADITIONAL'] }),
  },
  'mysql-few-modes': {
    title: 'MySQL, sql_mode strict alone',
    part: 'sql',
    find: server(mysql, { mariadbArgs: ['--sql-mode=STRICT_TRANS_TABLES'] }),
  },
  'mysql-tls': {
    title: 'MySQL, TLS required',
    part: 'connection',
    find: async (signal) => ({ ...(await server(mysql)(signal)), tls: true }),
  },
  'redis-7': { title: 'Redis 7.0', part: 'redis', find: server(redis7) },
  'redis-8': {
    title: 'Redis 8',
    part: 'redis',
    find: server({
      ...REDIS,
      programs: ['redis-server'],
      version: /Redis server v=8\./,
      packages: { release: 'trixie', names: ['redis-server'] },
    }),
  },
  valkey: { title: 'Valkey', part: 'redis', find: server(valkey) },
  redisbloom: { title: 'RedisBloom (`BF.*`)', part: 'redis', find: findRedisBloom },
  'redis-cluster': { title: 'Redis Cluster, 3 masters and 3 replicas', part: 'cluster', find: server(redis7) },
  'redis-sentinel': { title: 'Redis with a replica and Sentinel', part: 'failover', find: server(redis7) },
  // The tests find what it needs besides the server, and say what is missing.
  galera: {
    title: 'Galera, 3 nodes',
    part: 'galera',
    find: server({ ...MARIADB, ...debian('bookworm'), version: /Ver 10\.11/ }),
  },
  // Web servers that answer links after Terse has gone: what is tested is what an export gives them.
  nginx: { title: 'nginx, with an exported set', part: 'nginx', find: webServer(['nginx'], 'TEST_NGINX') },
  apache: { title: 'Apache, with an exported set', part: 'apache', find: webServer(['apache2', 'httpd'], 'TEST_APACHE') },
  'mysql-valkey': { title: 'MySQL and Valkey together', part: 'sql', find: both(server(mysql), server(valkey)) },
  yourls: { title: 'Moving from YOURLS', part: 'moving', find: findYourls },
  'node-20': { title: 'Node 20.19', part: 'app', find: node('20.19') },
  'node-22': { title: 'Node 22', part: 'app', find: node('22') },
  'node-24': { title: 'Node 24', part: 'app', find: node('24') },
  'node-26': { title: 'Node 26', part: 'app', find: node('26') },
}

/** @param {string} name @returns {Engine} @throws {Fault} when there is none of that name */
export function engineOf(name) {
  const engine = ENGINES[name]
  if (engine === undefined) throw new Fault(`unknown engine: ${name}. Use any of: ${Object.keys(ENGINES).join(', ')}.`)
  return engine
}

/**
 * The tests read the folder themselves: nothing of it is ours to bring.
 *
 * @returns {Promise<Found | Missing>}
 */
async function findYourls() {
  const folder = process.env.TEST_YOURLS
  if (!folder) return { missing: 'set TEST_YOURLS to a folder with the source of YOURLS (github.com/YOURLS/YOURLS)' }
  if (!existsSync(path.join(folder, 'yourls-loader.php'))) return { missing: `TEST_YOURLS=${folder} has no yourls-loader.php` }
  if (findProgram(['php']) === undefined) return { missing: 'there is no php here (Debian: php-cli and php-mysql)' }
  return {}
}

/** @param {string} release of Debian @returns {{ packages: import('./debian-packages.mjs').Packages }} */
function debian(release) {
  return { packages: { release, names: ['mariadb-server-core'] } }
}

/**
 * @param {Source} source
 * @param {Partial<Programs>} [how] it is started
 * @returns {Engine['find']}
 */
function server(source, how = {}) {
  return async (signal) => {
    const found = await findServer(source, signal)
    return 'missing' in found ? found : { programs: { [source.kind]: found.file, ...how } }
  }
}

/**
 * @param {string[]} names
 * @param {string} setting that names a program of one's own
 * @returns {Engine['find']}
 */
function webServer(names, setting) {
  return async () => {
    return process.env[setting] || findProgram(names)
      ? /** @type {Found} */ ({})
      : { missing: `no ${names[0]} on this machine; install it, or set ${setting}` }
  }
}

/** @param {Engine['find']} one @param {Engine['find']} other @returns {Engine['find']} */
function both(one, other) {
  return async (signal) => {
    const [first, second] = [await one(signal), await other(signal)]
    if ('missing' in first) return first
    if ('missing' in second) return second
    return { programs: { ...first.programs, ...second.programs } }
  }
}

/**
 * @param {Source} source
 * @param {AbortSignal} signal
 * @returns {Promise<{ file: string } | Missing>}
 * @throws {Fault} when its setting names something else
 */
async function findServer({ setting, family, programs, is, version, packages }, signal) {
  const given = process.env[setting]
  if (given) {
    const text = await versionOf(given)
    if (!is.test(text)) throw new Fault(`${setting}=${given} is not ${family}.`)
    if (version.test(text)) return { file: given }
  }
  for (const name of programs) {
    const file = findProgram([name])
    // Debian's mysqld is MariaDB.
    const text = file === undefined ? '' : await versionOf(file)
    if (file && is.test(text) && version.test(text)) return { file }
  }
  const why = `no ${programs[0]} of this version on this machine`
  if (packages === undefined) return { missing: `${why}; set ${setting}` }
  const unpacked = await unpackedPackages(packages, signal)
  if ('missing' in unpacked) return { missing: `${why}, and ${unpacked.missing}; set ${setting} to ${family}` }
  const file = path.join(unpacked.bin, programs[0] ?? '')
  if (version.test(await versionOf(file))) return { file }
  return {
    missing: `the ${programs[0]} in ${unpacked.bin} is of another version or does not run; delete that folder to fetch it again`,
  }
}

/**
 * A Redis with the commands built in, or with the module that TEST_REDIS_BLOOM names.
 *
 * @param {AbortSignal} signal
 * @returns {Promise<Found | Missing>}
 */
async function findRedisBloom(signal) {
  const module = process.env.TEST_REDIS_BLOOM
  if (!module) return { missing: 'no package has it; set TEST_REDIS_BLOOM to its redisbloom.so' }
  if (!existsSync(module)) throw new Fault(`TEST_REDIS_BLOOM=${module} does not exist.`)
  const redis = process.env.TEST_REDIS_SERVER || (await ensureTools(['redis'], signal)).redis
  return { programs: { redis, redisArgs: ['--loadmodule', path.resolve(module)] } }
}

/**
 * @param {string} version the beginning of it
 * @returns {Engine['find']} the program of the npm package for this kind of machine
 */
function node(version) {
  return async (signal) => {
    if (process.versions.node.startsWith(`${version}.`)) return { node: process.execPath }
    const name = `node-${process.platform}-${process.arch}`
    const folder = path.join(cacheFolder(), `node-${version}`)
    const file = path.join(folder, 'node_modules', name, 'bin/node')
    if (existsSync(file)) return { node: file }
    if (process.env.NO_INSTALL === '1') return { missing: 'NO_INSTALL=1 keeps Terse from fetching it' }
    mkdirSync(folder, { recursive: true })
    writeFileSync(path.join(folder, 'package.json'), '{}')
    print(`  fetching ${name}@${version} into ${folder} (installs nothing)`)
    try {
      const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
      await run('npm', ['install', '--prefix', folder, ...options, `${name}@${version}`], { signal })
    } catch (error) {
      if (error instanceof Interrupted) throw error
      return { missing: `npm has no ${name}@${version} for this machine: ${reason(error)}` }
    }
    return { node: file }
  }
}

/** @param {string} file @returns {Promise<string>} what it says of its version; nothing where it does not run */
async function versionOf(file) {
  // A Redis goes by the name it is called by; a database wants --no-defaults first.
  const isRedis = /(?:redis|valkey)[^/]*$/.test(file)
  const argv0 = path.basename(file) === 'redis-check-rdb' ? 'redis-server' : undefined
  try {
    return await run(file, isRedis ? ['--version'] : ['--no-defaults', '--version'], { argv0 })
  } catch {
    return ''
  }
}
