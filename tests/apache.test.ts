import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { freePort } from '@/scripts/lib/loopback.mjs'
import { run } from '@/scripts/lib/processes.mjs'
import { findProgram } from '@/scripts/lib/tools.mjs'
import { ownServers } from './harness'
import { compareAll, listening, runExport, seedLinks, start } from './static-sets'

const apache = process.env.TEST_APACHE || findProgram(['apache2', 'httpd'])
const httxt2dbm = findProgram(['httxt2dbm'])
const MODULES = process.env.TEST_APACHE_MODULES || '/usr/lib/apache2/modules'
const folder = mkdtempSync(join(tmpdir(), 'terse-apache-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What the file itself says to put into a VirtualHost. */
function virtualHostIn(file: string): string {
  const lines = file.split('\n').map((line) => line.replace(/^# ?/, ''))
  const [from, to] = [lines.indexOf('AllowEncodedSlashes NoDecode'), lines.findIndex((line) => line.startsWith('Header always'))]
  return lines.slice(from, to + 1).join('\n')
}

describe.skipIf(!apache)('Apache', () => {
  test('answers every link of its set as the app does, and nothing else, from the text and from its index', async () => {
    const servers = await ownServers()
    const expected = await seedLinks(servers.databaseUrl)
    const env = { DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl, BASE_URL: 'http://localhost' }
    const { code, output } = await runExport(env, [`--folder=${folder}`, '--to=.', 'apache'])
    expect([code, output]).toEqual([0, expect.stringContaining('Left out: 1 with a password.')])
    await servers.stop()
    const text = join(folder, 'terse-apache.txt')
    const host = virtualHostIn(readFileSync(text, 'utf8'))
    await serve(host.replace('/etc/apache2/terse-apache.txt', text), async (port) => {
      expect(await compareAll(port, expected)).toBeGreaterThan(200)
    })
    await run(httxt2dbm ?? '', ['-i', text, '-o', join(folder, 'terse-apache.dbm')])
    await serve(host.replace('txt:/etc/apache2/terse-apache.txt', `dbm:${join(folder, 'terse-apache.dbm')}`), async (port) => {
      expect(await compareAll(port, expected)).toBeGreaterThan(200)
    })
  })
})

async function serve(virtualHost: string, work: (port: number) => Promise<void>): Promise<void> {
  const port = await freePort()
  const modules = ['mpm_event', 'authz_core', 'rewrite', 'headers', 'env', 'authn_core']
  writeFileSync(
    join(folder, 'apache.conf'),
    [
      ...[`ServerRoot ${folder}`, `PidFile ${folder}/apache.pid`, `ErrorLog ${folder}/error.log`, 'ServerName localhost'],
      ...modules.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`),
      ...[`Listen 127.0.0.1:${port}`, `DocumentRoot ${folder}`, `<VirtualHost 127.0.0.1:${port}>`, virtualHost, '</VirtualHost>'],
    ].join('\n'),
  )
  const program = start(apache ?? '', ['-D', 'FOREGROUND', '-f', join(folder, 'apache.conf')])
  try {
    await listening(program, port)
    await work(port)
  } finally {
    const over = new Promise((resolve) => program.child.once('exit', resolve))
    program.child.kill()
    await over
  }
}
