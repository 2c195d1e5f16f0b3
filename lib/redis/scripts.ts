import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cluster, Redis } from 'ioredis'

/** Every Lua script: its file in lua/, how many keys it takes (null: as many as it is given), and what it answers. */
const SCRIPTS = {
  lookup: 3,
  fill: 4,
  claim: 6,
  publish: 7,
  forget: 2,
  announce: null,
  nearby: 2,
  nearbyKeep: 2,
  nearbyPass: null,
  nearbyFollow: 1,
  beat: 2,
  trust: 3,
  reserve: 2,
  reserved: 2,
  add: 3,
  swap: 4,
  filter: 3,
  prune: 1,
  backlog: 2,
  settle: 2,
  whole: 1,
  resync: 1,
  resynced: 1,
  handle: 10,
  handleBack: 10,
  handleAdd: 10,
  spoken: 3,
  spokenAdd: 3,
  reference: 3,
  pool: null,
  job: 2,
  jobRaise: 1,
} as const

export type ScriptName = keyof typeof SCRIPTS

export interface ScriptReply {
  lookup: [trusted: 0 | 1, record: string | null, mayExist: 0 | 1]
  fill: 0 | 1
  claim: [number: string | null, ...answers: (2 | 1 | 0 | -1)[]]
  publish: 0 | 1
  forget: 0 | 1
  announce: number
  nearby: [number: string, ofThisEpoch: 0 | 1, record: string | null]
  nearbyKeep: 0 | 1
  nearbyPass: 0 | 1
  nearbyFollow: 0 | 1
  beat: [server: string, verdict: 'ok' | 'missing' | 'doubtful' | 'replica', lastBeat: string | null, complete: 0 | 1]
  trust: 0 | 1
  reserve: 0 | 1
  reserved: 0 | 1
  add: number
  swap: 0 | 1
  filter: [
    implementation: '' | 'native' | 'bitmap',
    trusted: 0 | 1,
    capacity: number,
    errorRate: string,
    bits: number,
    hashes: number,
    looked: number,
    set: number,
    added: number,
    freed: number,
  ]
  prune: number
  backlog: [entries: number, bytes: number, dead: number, oldest: number]
  settle: number
  whole: 0 | 1
  resync: string
  resynced: 0 | 1
  handle: [handle: number, wrapped: 0 | 1] | null
  handleBack: 0 | 1
  handleAdd: 0 | 1
  spoken: [position: number, freeAt: number] | null
  spokenAdd: 0 | 1
  reference:
    | ['given', pool: string, number: string, before: number]
    | ['elsewhere', pool: string, digits: number, given: number]
    | ['over', pool: string, digits: number]
    | ['none', pool: string]
  pool: 0 | 1
  job: number | null
  jobRaise: number
}

/** Definitions for some scripts alone, since each of them costs time at every call. */
const PRELUDES = {
  /** For those that add codes to a filter. */
  'prelude-add': ['claim', 'publish', 'add'],
  /** For those that give ids. */
  'prelude-ids': ['whole', 'handleBack', 'job'],
  /** For those that say what may be believed. */
  'prelude-trust': ['beat', 'trust', 'swap', 'resynced', 'pool'],
  /** For those that make changes known. */
  'prelude-changes': ['publish', 'forget', 'announce', 'trust', 'nearbyPass', 'nearbyFollow'],
} as const satisfies Record<string, readonly ScriptName[]>

type Command = (...args: (string | number)[]) => Promise<unknown>

/** Makes the scripts commands of `client` (EVALSHA, loaded again when the server forgot them). */
export function defineScripts(client: Redis | Cluster): void {
  const folder = join(/* turbopackIgnore: true */ process.cwd(), 'lib/redis/lua')
  const read = (name: string) => readFileSync(join(/* turbopackIgnore: true */ folder, `${name}.lua`), 'utf8')
  const prelude = read('prelude')
  const further = Object.entries(PRELUDES).map(([file, names]) => ({ names: new Set<string>(names), lua: `${read(file)}\n` }))
  for (const [name, numberOfKeys] of Object.entries(SCRIPTS)) {
    const own = further.filter(({ names }) => names.has(name)).map(({ lua }) => lua)
    client.defineCommand(commandName(name), {
      lua: `${prelude}\n${own.join('')}${read(name)}`,
      numberOfKeys: numberOfKeys ?? undefined,
    })
  }
}

/** Runs one script; keys first, then arguments. */
export function runScript<N extends ScriptName>(
  client: Redis | Cluster,
  name: N,
  keys: string[],
  args: (string | number)[],
): Promise<ScriptReply[N]> {
  const command = (client as unknown as Record<string, Command>)[commandName(name)]
  if (!command) throw new Error(`script ${name} is not defined`)
  const count = SCRIPTS[name] === null ? [keys.length] : []
  return command.call(client, ...count, ...keys, ...args) as Promise<ScriptReply[N]>
}

const commandName = (name: string) => `terse${name}`
