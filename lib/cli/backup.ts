import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { backUp } from '@/lib/backup/back-up'
import { readPassphrase } from '@/lib/backup/passphrase'
import { readConfig } from '@/lib/config'
import { errorWords } from '@/lib/log'
import { untilStopped } from './until-stopped'

/** `npm run backup [-- file]`: all that Terse cannot make again, in one encrypted file. The app may run meanwhile. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      /** Where relative paths begin. */
      folder: { type: 'string', default: '.' },
      /** The engine's own program. */
      program: { type: 'string', default: 'mariadb-dump' },
    },
    allowPositionals: true,
  })
  if (positionals.length > 1) throw new Error('too many files: name one, or none')
  const config = readConfig()
  const time = new Date().toISOString().slice(0, 19).replaceAll(':', '')
  const [name] = positionals
  const file = name ? resolve(values.folder, name) : join(resolve(config.DATA_DIR), 'backups', `terse-${time}Z.age`)
  const passphrase = await readPassphrase(true)
  const warn = (text: string) => console.error(`backup: ${text}`)
  const batches = await backUp(config, { file, passphrase, program: values.program, warn, signal: untilStopped() })
  console.log(`Backup: ${file}`)
  if (batches > 0) console.log(`Batches of clicks in it that are still to be counted: ${batches.toLocaleString('en')}`)
  console.log('Keep it on another machine, and the passphrase somewhere else: without it, nobody can read the file.')
}

main().catch((error: unknown) => {
  const isStopped = error instanceof Error && error.name === 'AbortError'
  const why = isStopped ? 'stopped. Nothing is left of this backup' : errorWords(error)
  console.error(`backup: ${why}`)
  process.exit(1)
})
