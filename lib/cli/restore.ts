import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { checkBackup, type Manifest } from '@/lib/backup/file'
import { readPassphrase } from '@/lib/backup/passphrase'
import { restore, type SecretPlace } from '@/lib/backup/restore'
import { readConfig } from '@/lib/config'
import { errorWords } from '@/lib/log'
import { toLine } from '@/lib/tools/line'

/**
 * `npm run restore -- file`: puts a backup into an empty database, of any engine. `--overwrite` replaces what Terse has there,
 * `--check` only reads the file, `--show-secret` prints the APP_SECRET that goes with it.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      overwrite: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      'show-secret': { type: 'boolean', default: false },
      /** Where relative paths begin. */
      folder: { type: 'string', default: '.' },
      /** The file of the launcher's own secrets, where the app takes its secret from there. */
      secrets: { type: 'string' },
    },
    allowPositionals: true,
  })
  const [name] = positionals
  if (name === undefined || positionals.length > 1) throw new Error('name the file: npm run restore -- file')
  const file = resolve(values.folder, name)
  if (values.check || values['show-secret']) {
    const { manifest } = await checkBackup(file, await readPassphrase(false))
    const { madeAt, engine } = manifest
    console.log(values['show-secret'] ? shown(manifest) : `This backup is whole. It was made at ${madeAt}, from ${engine}.`)
    return
  }
  const config = readConfig()
  const secret = values.secrets === undefined ? secretOfSettings(config.APP_SECRET) : secretOfLauncher(values.secrets)
  const tell = (text: string) => console.log(text)
  const passphrase = await readPassphrase(false)
  const { rows, codes, batches } = await restore(config, { file, passphrase, overwrite: values.overwrite, secret, tell })
  console.log(`Restored: ${rows.toLocaleString('en')} rows; codes in use or at rest: ${codes.toLocaleString('en')}. Start Terse.`)
  if (batches > 0) console.log(`Batches of clicks that it then counts: ${batches.toLocaleString('en')}`)
}

/** The secret of a backup. @throws Error for one that a terminal would obey, or not show as it is */
function shown({ appSecret }: Manifest): string {
  if (toLine(appSecret) === appSecret.trim()) return appSecret
  throw new Error('the APP_SECRET of this backup has characters that are not shown. docs/backup.md says how to open the file')
}

/** A setting is not ours to change. */
function secretOfSettings(current: string): SecretPlace {
  const check = (appSecret: string) => {
    if (appSecret === current) return
    throw new Error('APP_SECRET is not that of the backup. Set the one that `npm run restore -- file --show-secret` prints')
  }
  return { check, keep: () => {} }
}

/** Where the launcher made the secret by itself, it takes that of the backup from now on. */
function secretOfLauncher(file: string): SecretPlace {
  const keep = (appSecret: string) => {
    const secrets = { ...(JSON.parse(readFileSync(file, 'utf8')) as object), appSecret }
    writeFileSync(`${file}.new`, JSON.stringify(secrets, null, 2), { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }
  return { check: () => {}, keep }
}

main().catch((error: unknown) => {
  console.error(`restore: ${errorWords(error)}`)
  process.exit(1)
})
