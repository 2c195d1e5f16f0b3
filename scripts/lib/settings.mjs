import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT, reason } from './processes.mjs'
import { Fault } from './report.mjs'

/** Takes settings from `.env`, where there is one. What is in the environment already wins. */
export function loadSettings() {
  const file = path.join(ROOT, '.env')
  if (!existsSync(file)) return
  try {
    process.loadEnvFile(file)
  } catch (error) {
    throw new Fault(`cannot read ${file} (${reason(error)}).`)
  }
}

/** The settings of the person's own app must not sway a test. `.env.example` lists every setting. */
export function forgetSettings() {
  const file = path.join(ROOT, '.env.example')
  const example = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const names = [...example.matchAll(/^(?:# *)?([A-Z_]+)=/gm)].map(([, name]) => name)
  for (const name of [...names, 'DATABASE_URL', 'REDIS_URL', 'NODE_ENV']) if (name !== undefined) delete process.env[name]
}
