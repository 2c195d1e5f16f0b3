import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cluster, Redis } from 'ioredis'

/** A Lua script, and what it answers. */
export interface Script<Reply> {
  name: string
  /** How many keys it takes; null: as many as it is given. */
  keys: number | null
  /** Definitions put before it. */
  preludes: readonly string[]
  /** The text with its preludes. */
  lua: string
  /** Never set: it carries the type. */
  reply?: Reply
}

/**
 * A script of a room. It is read at once: a process without the file does not start, rather than fail later.
 * @param name `room/name` stands for `lua/name.lua` in that room of lib
 * @param preludes files with definitions, named likewise and in this order: only what the script uses, since each costs time at
 *   every call
 */
export function script<Reply>(name: string, keys: number | null, ...preludes: string[]): Script<Reply> {
  return { name, keys, preludes, lua: [...preludes, name].map(luaOf).join('\n') }
}

function luaOf(name: string): string {
  const [room = '', file = ''] = name.split('/')
  return readFileSync(join(/* turbopackIgnore: true */ process.cwd(), 'lib', room, 'lua', `${file}.lua`), 'utf8')
}

type Command = (...args: (string | number | Buffer)[]) => Promise<unknown>

/** Runs a script by EVALSHA, loading it when the server does not have it; keys first, then arguments. */
export function runScript<Reply>(
  client: Redis | Cluster,
  { name, keys: numberOfKeys, lua }: Script<Reply>,
  keys: string[],
  args: (string | number | Buffer)[],
): Promise<Reply> {
  const commands = client as unknown as Record<string, Command>
  if (!commands[name]) client.defineCommand(name, { lua, numberOfKeys: numberOfKeys ?? undefined })
  const count = numberOfKeys === null ? [keys.length] : []
  return (commands[name] as Command).call(client, ...count, ...keys, ...args) as Promise<Reply>
}
