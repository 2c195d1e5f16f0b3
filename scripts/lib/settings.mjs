import { existsSync } from 'node:fs'
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
