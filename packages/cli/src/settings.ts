import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import envPaths from 'env-paths'
import { parseUrl } from '../../../lib/tools/url.js'
import { UsageError } from './exit.js'

/** The server that commands talk to, and the API key for it. */
export interface Settings {
  url: string
  key?: string | undefined
}

/**
 * `config.json` in the system's folder for settings: $XDG_CONFIG_HOME/terse or ~/.config/terse, on macOS
 * ~/Library/Preferences/terse, on Windows %APPDATA%\\terse\\Config.
 */
export const settingsFile = () => path.join(envPaths('terse', { suffix: '' }).config, 'config.json')

/**
 * TERSE_URL and TERSE_KEY win over the file. The key of the file is for the server of the file alone, and is never sent to
 * another.
 * @param server given by `--server`
 * @throws UsageError where no server is named, or it is no address
 */
export function readSettings(server?: string, env = process.env): Settings {
  const kept = readKept()
  const named = server ?? (env.TERSE_URL || kept?.url)
  if (!named) throw new UsageError('No server yet. Run “terse login https://your.server”, or set TERSE_URL.')
  const url = serverOf(named)
  const ownKey = kept && serverOf(kept.url) === url ? kept.key : undefined
  return { url, key: env.TERSE_KEY || ownKey }
}

/** @throws UsageError for what is no address of a server */
export function serverOf(typed: string): string {
  const address = /^https?:\/\//i.test(typed) ? typed : `https://${typed}`
  const url = parseUrl(address)
  if (!url || url.username || url.search || url.hash) throw new UsageError(`“${typed}” isn’t the address of a server.`)
  return (url.origin + url.pathname).replace(/\/+$/, '')
}

function readKept(): Settings | undefined {
  let text: string
  try {
    text = readFileSync(settingsFile(), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const { url, key } = JSON.parse(text) as Record<string, unknown>
    if (typeof url === 'string') return { url, ...(typeof key === 'string' && { key }) }
  } catch {
    // Said below.
  }
  throw new UsageError(`${settingsFile()} can’t be read. Run “terse login” again.`)
}

/** Only this user of the machine can read it. It is written whole or not at all. */
export function writeSettings(settings: Settings): void {
  const file = settingsFile()
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(settings, null, 2)}\n`, { mode: 0o600 })
  renameSync(draft, file)
}

/** @returns whether there was something to remove */
export function removeSettings(): boolean {
  const isThere = readKept() !== undefined
  rmSync(settingsFile(), { force: true })
  return isThere
}
