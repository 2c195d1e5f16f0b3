import { copyFile, mkdir } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, readConfig } from '@/lib/config'
import { DatabaseGateway } from '@/lib/db/gateway'
import { requireFitIfUp } from '@/lib/db/migrate'
import { Domains } from '@/lib/domains/domains'
import { exportFile, FILE_FORMATS, type FileFormat } from '@/lib/leaving/export-file'
import { writeWhole } from '@/lib/leaving/write-file'
import type { WhichLinks } from '@/lib/links/pages'
import { errorWords } from '@/lib/log'
import { untilStopped } from './until-stopped'

const SERVER = 'terse-redirects.mjs'

/** `npm run export [-- format…]`: links as files, for an import or to be answered without Terse. The app may run meanwhile. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      /** Where relative paths begin. */
      folder: { type: 'string', default: '.' },
      to: { type: 'string' },
      owner: { type: 'string' },
      domain: { type: 'string' },
      gzip: { type: 'boolean', default: false },
      'without-passwords': { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  const formats = formatsOf(positionals)
  const config: Config = { ...readConfig(), LOG_LEVEL: 'silent' }
  await requireFitIfUp(config.DATABASE_URL)
  const db = new DatabaseGateway(config.DATABASE_URL, 2)
  const domains = new Domains(db, config.BASE_URL, config.PORT)
  await domains.refresh()
  const ctx = { config, db, domains }
  const which = await whichOf(ctx, values)
  const now = Date.now()
  const day = new Date(now).toISOString().slice(0, 19).replaceAll(':', '')
  const folder = resolve(values.folder, values.to ?? `terse-export-${day}Z`)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const signal = untilStopped()
  for (const format of formats) {
    const owners = which.ownerId === undefined
    const file = exportFile(ctx, { which, format, passwords: !values['without-passwords'], owners, now })
    const path = join(folder, values.gzip ? `${file.name}.gz` : file.name)
    const bytes = await writeWhole(path, file.pieces, { gzip: values.gzip, signal })
    console.log(`${format}: ${relative(process.cwd(), path) || path} (${bytes.toLocaleString('en')} bytes)`)
    for (const line of file.summary?.lines ?? []) console.log(`  ${line}`)
    if (format === 'node') await copyFile(join('public', 'assets', SERVER), join(folder, SERVER))
  }
  console.log(`Everything is in ${folder}`)
  await db.close()
}

/** @throws Error naming what is no format */
function formatsOf(names: readonly string[]): readonly FileFormat[] {
  const unknown = names.find((name) => !(FILE_FORMATS as readonly string[]).includes(name))
  if (unknown !== undefined) throw new Error(`unknown format: ${unknown}. Use any of: ${FILE_FORMATS.join(', ')}`)
  return names.length > 0 ? (names as FileFormat[]) : FILE_FORMATS
}

/** @throws Error for an account or a domain that is not there */
async function whichOf(
  { db, domains }: { db: DatabaseGateway; domains: Domains },
  { owner, domain }: { owner?: string | undefined; domain?: string | undefined },
): Promise<WhichLinks> {
  const which: WhichLinks = {}
  if (domain !== undefined) {
    const found = domains.find(domain)
    if (!found) throw new Error(`no such domain: ${domain}. There are: ${domains.hosts.join(', ')}`)
    which.domain = { id: found.id, host: found.host }
  }
  if (owner !== undefined) {
    const where = { OR: [{ email: owner.toLowerCase() }, { id: owner }] }
    const user = await db.read((client) => client.user.findFirst({ where, select: { id: true } }))
    if (!user) throw new Error(`no account with the email or ID ${owner}`)
    which.ownerId = user.id
  }
  return which
}

main().catch((error: unknown) => {
  const isStopped = error instanceof Error && error.name === 'AbortError'
  console.error(`export: ${isStopped ? 'stopped' : errorWords(error)}`)
  process.exit(1)
})
