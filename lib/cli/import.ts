import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createGunzip } from 'node:zlib'
import { failed, followJob, openJobs, readKey } from '@/lib/command-jobs'
import { queueFile, queueLive } from '@/lib/movers/queue'
import { LIVE_FROM, MOVED_FROM, type MovedFrom } from '@/lib/movers/sources'

/**
 * `npm run import -- <kind> <file or address>`: takes over links of another shortener, or of a server's configuration. The app
 * may run meanwhile. `--account` names whose links they become, by email or handle; `--domain` the domain
 * they are put on; `--dry-run` creates nothing; `--results` writes what came of each row to a file. A key is asked for, or read
 * from the standard input.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      account: { type: 'string' },
      domain: { type: 'string' },
      site: { type: 'string' },
      results: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      /** Where relative paths begin. */
      folder: { type: 'string', default: '.' },
    },
    allowPositionals: true,
  })
  const [kind = '', what = ''] = positionals
  const from = MOVED_FROM.find((name) => name === kind)
  if (!from || what === '' || positionals.length > 2) {
    throw new Error(`say what to import: npm run import -- <kind> <file or address>. Kinds: ${MOVED_FROM.join(', ')}`)
  }
  const isLive = /^https?:\/\//.test(what)
  const key = isLive ? await keyFor(from) : ''
  const jobs = await openJobs(values.account)
  try {
    const moving = { from, domain: values.domain, dryRun: values['dry-run'] }
    const job = isLive
      ? await queueLive(jobs.ctx, jobs.by, { ...moving, address: what, key })
      : await queueFile(jobs.ctx, jobs.by, { ...moving, site: values.site, bytes: bytesOf(resolve(values.folder, what)) })
    await followJob(jobs, job, values.results && resolve(values.folder, values.results))
  } finally {
    await jobs.ctx.close()
  }
}

function keyFor(from: MovedFrom): Promise<string> {
  if (!(LIVE_FROM as readonly MovedFrom[]).includes(from)) throw new Error(`${from} has no API that is asked. Name a file`)
  return readKey(`The key of ${from}: `)
}

/** A file, unpacked where it ends in `.gz`. */
async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  const file = createReadStream(path, { highWaterMark: 256 * 1024 })
  yield* path.endsWith('.gz') ? file.pipe(createGunzip()) : file
}

main().then(() => process.exit(process.exitCode ?? 0), failed('import'))
