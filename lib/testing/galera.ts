import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Connection, createConnection } from 'mariadb'
import { vi } from 'vitest'
import { Daemon } from '@/scripts/lib/daemon.mjs'
import { exchange, freePort } from '@/scripts/lib/loopback.mjs'
import { run } from '@/scripts/lib/processes.mjs'
import { ensureTools, findProgram } from '@/scripts/lib/tools.mjs'
import { atEnd } from './cleanup'

const NODES = 3
const SECRET = 'only-for-tests'
const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'terse', 'engines', 'galera')
const asRoot = process.getuid?.() === 0

/** Where the library is, and the folder of the scripts that bring a new node its data. */
interface Parts {
  provider: string
  scripts: string
}

const partsIn = (root: string): Parts => ({
  provider: join(root, 'usr/lib/galera/libgalera_smm.so'),
  scripts: join(root, 'usr/bin'),
})

const isWhole = ({ provider, scripts }: Parts) => existsSync(provider) && existsSync(join(scripts, 'wsrep_sst_rsync'))

/**
 * What a cluster needs besides the server: installed, or unpacked from Debian's packages into a cache folder.
 * @returns why there is none, else where it is
 */
export async function findGalera(): Promise<Parts | { missing: string }> {
  for (const tool of ['mariadbd', 'mariadb', 'rsync', 'ss', 'haproxy'])
    if (findProgram([tool]) === undefined) return { missing: `there is no ${tool} on this machine` }
  for (const root of ['/', CACHE]) if (isWhole(partsIn(root))) return partsIn(root)
  if (process.env.NO_INSTALL === '1')
    return { missing: 'there is no galera-4 here, and NO_INSTALL=1 keeps Terse from fetching it' }
  if (findProgram(['dpkg-deb']) === undefined)
    return { missing: 'there is no galera-4 here, and Terse fetches it only on Debian' }
  const work = mkdtempSync(join(tmpdir(), 'terse-galera-packages-'))
  try {
    mkdirSync(CACHE, { recursive: true })
    const names = ['galera-4', 'mariadb-server']
    await run('sh', [
      '-c',
      `cd ${work} && apt-get download ${names.join(' ')} && for f in *.deb; do dpkg-deb -x $f ${CACHE}; done`,
    ])
    return partsIn(CACHE)
  } catch (error) {
    return { missing: `fetching galera-4 failed: ${(error as Error).message}` }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Both of an address are loopback ports; the node's own is that of its Daemon. */
interface Ports {
  group: number
  transfer: number
  copy: number
}

interface GaleraNode {
  daemon: Daemon
  /** DATABASE_URL of this node, of a user who may do everything. */
  url: string
  /** Ends what it did before and starts with nothing, or with what it has: then the others send it their data. */
  start(): Promise<void>
}

export interface Galera {
  nodes: readonly GaleraNode[]
  /** A connection of the test's own to a node. */
  connect(node: number): Promise<Connection>
  /** Whether the node takes part in the cluster. */
  isSynced(node: number): Promise<boolean>
}

/**
 * The script that copies data to a new node, made fit for root: rsync's daemon would give it up, and could then not write what
 * root's server reads.
 */
const SST_METHOD = 'rsync_by_test'

function writeTransferScript(scripts: string, dir: string): void {
  const text = readFileSync(join(scripts, 'wsrep_sst_rsync'), 'utf8')
  const own = asRoot ? text.replace('\npid file = ', '\nuid = root\ngid = root\npid file = ') : text
  writeFileSync(join(dir, `wsrep_sst_${SST_METHOD}`), own, { mode: 0o755 })
  copyFileSync(join(scripts, 'wsrep_sst_common'), join(dir, 'wsrep_sst_common'))
}

/** A Galera cluster of three nodes, each ended when the file's tests are done. */
export async function testGalera(parts: Parts): Promise<Galera> {
  const { mariadb: program } = await ensureTools(['mariadb'])
  const dir = mkdtempSync(join(tmpdir(), 'terse-galera-'))
  writeTransferScript(parts.scripts, dir)
  const ports: (Ports & { sql: number })[] = []
  for (let i = 0; i < NODES; i++) {
    const [sql, group, transfer, copy] = [await freePort(), await freePort(), await freePort(), await freePort()]
    ports.push({ sql, group, transfer, copy })
  }
  const nodes = ports.map((own, i) => newNode({ program, parts, dir, own, all: ports, name: `node-${i}` }))
  atEnd(async () => {
    await Promise.all(nodes.map(({ daemon }) => daemon.kill('SIGKILL')))
    rmSync(dir, { recursive: true, force: true })
  })
  const connect = (node: number) => {
    const { hostname, port, username, password, pathname } = new URL(nodes[node]?.url ?? '')
    return createConnection({ host: hostname, port: Number(port), user: username, password, database: pathname.slice(1) })
  }
  const isSynced = async (node: number) => {
    const connection = await connect(node).catch(() => null)
    const rows = await connection?.query<{ Value: string }[]>("SHOW STATUS LIKE 'wsrep_local_state_comment'").catch(() => [])
    connection?.destroy()
    return rows?.[0]?.Value === 'Synced'
  }
  for (const [i, node] of nodes.entries()) {
    await node.start()
    await vi.waitFor(async () => {
      if (!(await isSynced(i))) throw new Error(`node ${i} has not joined the cluster`)
    }, 60_000)
  }
  return { nodes, connect, isSynced }
}

interface Spec {
  program: string
  parts: Parts
  dir: string
  own: Ports & { sql: number }
  all: readonly Ports[]
  name: string
}

function newNode({ program, parts, dir, own, all, name }: Spec): GaleraNode {
  const data = join(dir, name)
  const url = `mysql://terse:${SECRET}@127.0.0.1:${own.sql}/terse`
  const isFirst = name === 'node-0'
  let isNew = isFirst
  const spec = () =>
    new Daemon({
      name,
      url,
      port: own.sql,
      file: '/usr/bin/env',
      args: [
        `PATH=${dir}:${process.env.PATH}`,
        program,
        ...argumentsOf({ parts, data, own, all, name }),
        ...(isNew ? ['--wsrep-new-cluster'] : []),
      ],
      log: join(dir, `${name}.log`),
      record: join(dir, `${name}.pid`),
      serves: () => greets(own.sql),
      revive: false,
    })
  const node: GaleraNode = {
    daemon: spec(),
    url,
    async start() {
      rmSync(data, { recursive: true, force: true })
      if (isNew) await initialise(program, data, dir)
      else mkdirSync(data)
      node.daemon = spec()
      await node.daemon.start()
      isNew = false
    },
  }
  return node
}

/** Times are short, so that a node that is gone is given up in seconds. */
const GROUP_TIMES =
  'evs.keepalive_period=PT0.5S;evs.inactive_check_period=PT0.5S;evs.suspect_timeout=PT2S;evs.inactive_timeout=PT4S;evs.install_timeout=PT4S'

function argumentsOf({ parts, data, own, all, name }: Omit<Spec, 'program' | 'dir'> & { data: string }): string[] {
  return [
    '--no-defaults',
    ...(asRoot ? ['--user=root'] : []),
    `--datadir=${data}`,
    `--port=${own.sql}`,
    '--bind-address=127.0.0.1',
    `--socket=${join(data, 's')}`,
    '--skip-name-resolve',
    '--character-set-server=utf8mb4',
    '--collation-server=utf8mb4_bin',
    '--default-time-zone=+00:00',
    '--sql-mode=ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION',
    '--innodb-buffer-pool-size=128M',
    '--innodb-flush-log-at-trx-commit=0',
    '--max-connections=200',
    '--binlog-format=ROW',
    '--innodb-autoinc-lock-mode=2',
    '--wsrep-on=ON',
    `--wsrep-provider=${parts.provider}`,
    '--wsrep-cluster-name=terse-tests',
    `--wsrep-cluster-address=gcomm://${all.map(({ group }) => `127.0.0.1:${group}`).join(',')}`,
    `--wsrep-node-name=${name}`,
    `--wsrep-node-address=127.0.0.1:${own.group}`,
    `--wsrep-sst-method=${SST_METHOD}`,
    `--wsrep-sst-receive-address=127.0.0.1:${own.copy}`,
    `--wsrep-provider-options=base_host=127.0.0.1;base_port=${own.group};gmcast.listen_addr=tcp://127.0.0.1:${own.group};ist.recv_addr=127.0.0.1:${own.transfer};gcache.size=64M;${GROUP_TIMES}`,
    '--wsrep-sync-wait=7',
  ]
}

/** The data of the first node, with a user who may do everything, and nobody else. */
async function initialise(program: string, data: string, dir: string): Promise<void> {
  const sql = join(dir, 'accounts.sql')
  const statements = [
    'FLUSH PRIVILEGES',
    'CREATE DATABASE terse',
    `CREATE USER 'terse'@'127.0.0.1' IDENTIFIED BY '${SECRET}'`,
    "GRANT ALL PRIVILEGES ON *.* TO 'terse'@'127.0.0.1' WITH GRANT OPTION",
    "DROP USER 'root'@'localhost', 'root'@'127.0.0.1', 'root'@'::1'",
  ]
  writeFileSync(sql, statements.map((statement) => `${statement};\n`).join(''))
  const installer = findProgram(['mariadb-install-db'], [join(program, '../../bin')]) ?? 'mariadb-install-db'
  const options = ['--auth-root-authentication-method=normal', '--skip-test-db', `--extra-file=${sql}`]
  await run(installer, ['--no-defaults', ...(asRoot ? ['--user=root'] : []), `--datadir=${data}`, ...options])
}

/** Whether the server greets: the version of its protocol is the fifth byte. */
async function greets(port: number): Promise<boolean> {
  const packet = await exchange(port, '', (received) => received.length > 4)
  return packet[4] === 10
}
