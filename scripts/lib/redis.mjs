/** A private Redis or Valkey on the loopback interface, with an append-only file. */

import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { Daemon } from './daemon.mjs'
import { makeFolder } from './data-folder.mjs'
import { exchange, freePort } from './loopback.mjs'

/**
 * @param {string} file the server program
 * @param {import('./data-folder.mjs').DataFolder} folder
 * @param {{ revive: boolean, debug: boolean, cluster?: boolean, args?: string[] }} options `debug` allows the DEBUG command;
 *   `cluster` makes it a node that others can be joined to; `args`: more arguments
 * @returns {Promise<Daemon>} started
 */
export async function startRedis(file, folder, { revive, debug, cluster = false, args = [] }) {
  const data = path.join(folder.dir, 'redis')
  makeFolder(data)

  const port = await freePort()
  // On which nodes talk to each other.
  const busPort = cluster ? await freePort() : undefined
  const password = folder.secrets.redisPassword
  const config = path.join(folder.dir, 'run', 'redis.conf')
  const daemon = new Daemon({
    name: 'redis',
    url: `redis://:${password}@127.0.0.1:${port}/0`,
    port,
    file,
    // Called by this name, redis-check-rdb is the server (see tools.mjs).
    argv0: path.basename(file) === 'redis-check-rdb' ? 'redis-server' : undefined,
    args: [config, ...args],
    log: folder.log('redis'),
    record: folder.record('redis'),
    // A file, as the arguments of a process can be read by everybody on the machine.
    beforeStart: () => writeFileSync(config, configuration({ data, port, password, debug, busPort }), { mode: 0o600 }),
    serves: () => pongs(port, password),
    revive,
  })
  await daemon.start()
  return daemon
}

/** @param {{ data: string, port: number, password: string, debug: boolean, busPort: number | undefined }} settings */
function configuration({ data, port, password, debug, busPort }) {
  return [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    `dir ${JSON.stringify(data)}`,
    'appendonly yes',
    'appendfsync everysec',
    'save ""',
    ...(debug ? ['enable-debug-command local'] : []),
    ...(busPort === undefined ? [] : nodeOfCluster(busPort, password)),
    '',
  ].join('\n')
}

/**
 * A node of a cluster for tests: a failover begins after a second and a half, and whatever the replica knows by then.
 *
 * @param {number} busPort
 * @param {string} password the same of all nodes
 */
function nodeOfCluster(busPort, password) {
  return [
    'cluster-enabled yes',
    `cluster-port ${busPort}`,
    'cluster-node-timeout 1500',
    'cluster-replica-validity-factor 0',
    'repl-diskless-sync-delay 0',
    `masterauth ${password}`,
  ]
}

/**
 * Whether the server answers, and not that it is still loading its data.
 *
 * @param {number} port
 * @param {string} password
 */
async function pongs(port, password) {
  const answer = await exchange(port, `AUTH ${password}\r\nPING\r\n`, (received) => received.toString().split('\r\n').length > 2)
  return answer.toString() === '+OK\r\n+PONG\r\n'
}
