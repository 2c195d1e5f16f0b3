/** A private MariaDB or MySQL: its data made once, then a server on the loopback interface alone. */

import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Daemon } from './daemon.mjs'
import { exchange, freePort } from './loopback.mjs'
import { run } from './processes.mjs'
import { Fault } from './report.mjs'
import { findProgram } from './tools.mjs'

const USER = 'terse'
const DATABASE = 'terse'

/** Both servers refuse to run as root unless they are told to. */
const asRoot = process.getuid?.() === 0 ? ['--user=root'] : []

/**
 * @param {string} file the server program
 * @param {import('./data-folder.mjs').DataFolder} folder
 * @param {{ revive: boolean, sync?: boolean, args?: string[], query?: string }} options `sync: false`: what it writes outlives a
 *   kill of the server, but not of the machine; `args`: more arguments, which win over those here; `query`: what its URL ends with
 * @returns {Promise<Daemon>} started
 */
export async function startMariadb(file, folder, { revive, sync = true, args = [], query = '' }) {
  const data = path.join(folder.dir, 'mariadb')
  if (!existsSync(data)) await initialise(file, data)
  const temporary = path.join(folder.dir, 'run', 'mariadb-tmp')
  mkdirSync(temporary, { recursive: true, mode: 0o700 })

  const port = await freePort()
  const password = folder.secrets.databasePassword
  const initFile = path.join(folder.dir, 'run', 'mariadb-init.sql')
  const daemon = new Daemon({
    name: 'mariadb',
    url: `mysql://${USER}:${password}@127.0.0.1:${port}/${DATABASE}${query}`,
    port,
    file,
    args: [
      '--no-defaults',
      ...asRoot,
      `--datadir=${data}`,
      `--pid-file=${path.join(data, 'mariadb.pid')}`,
      // Of its own: a server that starts removes all temporary tables of the folder, those of others too.
      `--tmpdir=${temporary}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      // No socket file: nothing needs it, and its path would have to be shorter than 108 characters.
      '--socket=',
      // MySQL's second protocol has a fixed port, which two instances could not share.
      '--loose-mysqlx=OFF',
      '--skip-name-resolve',
      '--skip-log-bin',
      '--character-set-server=utf8mb4',
      '--collation-server=utf8mb4_bin',
      '--default-time-zone=+00:00',
      // MySQL's own default, as far as MariaDB knows it: what the one refuses, the other then refuses too.
      '--sql-mode=ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION',
      '--max-connections=200',
      '--innodb-buffer-pool-size=256M',
      '--innodb-flush-log-at-trx-commit=1',
      ...(sync ? [] : ['--innodb-flush-method=nosync', '--loose-debug-no-sync']),
      `--init-file=${initFile}`,
      ...args,
    ],
    log: folder.log('mariadb'),
    record: folder.record('mariadb'),
    beforeStart: () => writeFileSync(initFile, accountsSql(password), { mode: 0o600 }),
    afterStart: () => rmSync(initFile, { force: true }),
    serves: () => greets(port),
    revive,
  })
  await daemon.start()
  return daemon
}

/**
 * Makes the data under another name and renames it, so that an interrupted attempt is never taken for
 * a finished one.
 *
 * @param {string} file
 * @param {string} data
 */
async function initialise(file, data) {
  const unfinished = `${data}.tmp`
  rmSync(unfinished, { recursive: true, force: true })
  const common = ['--no-defaults', ...asRoot, `--datadir=${unfinished}`]
  if ((await run(file, ['--no-defaults', '--version'])).includes('MariaDB')) {
    const installer = findProgram(
      ['mariadb-install-db', 'mysql_install_db'],
      [path.join(path.dirname(file), '../bin'), path.join(path.dirname(file), '../scripts')],
    )
    if (installer === undefined)
      throw new Fault(`cannot find mariadb-install-db, which belongs to ${file}. Install the complete MariaDB server package.`)
    await run(installer, [...common, '--auth-root-authentication-method=normal', '--skip-test-db'])
  } else {
    await run(file, [...common, '--initialize-insecure'])
  }
  renameSync(unfinished, data)
}

/**
 * What the server does at each start before it takes connections: our user with our password, and nobody
 * else who could log in. Terse's user may also make databases whose names begin with `terse`; tests do.
 *
 * @param {string} password base64url, so it needs no quoting
 */
function accountsSql(password) {
  const user = `'${USER}'@'127.0.0.1'`
  const hosts = ['localhost', '127.0.0.1', '::1', os.hostname()]
  return [
    `CREATE DATABASE IF NOT EXISTS ${DATABASE}`,
    `CREATE USER IF NOT EXISTS ${user} IDENTIFIED BY '${password}'`,
    `ALTER USER ${user} IDENTIFIED BY '${password}'`,
    `GRANT ALL PRIVILEGES ON \`${DATABASE}%\`.* TO ${user}`,
    ...hosts.map((host) => `ALTER USER IF EXISTS 'root'@'${host}' IDENTIFIED BY '${randomBytes(32).toString('base64url')}'`),
    ...hosts.map((host) => `DROP USER IF EXISTS ''@'${host}'`),
  ]
    .map((statement) => `${statement};\n`)
    .join('')
}

/**
 * Whether the server greets. It does so only after its init file; the port is open before.
 *
 * @param {number} port
 */
async function greets(port) {
  const packet = await exchange(port, '', (received) => received.length > 4)
  const PROTOCOL_VERSION = 10
  return packet[4] === PROTOCOL_VERSION
}
