import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { freePort } from '@/scripts/lib/loopback.mjs'
import { findProgram } from '@/scripts/lib/tools.mjs'
import { ownServers } from './harness'
import { compareAll, listening, runExport, seedLinks, start } from './static-sets'

const nginx = process.env.TEST_NGINX || findProgram(['nginx'])
const folder = mkdtempSync(join(tmpdir(), 'terse-nginx-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The server that the file itself shows, at a port of ours. */
const serverIn = (file: string, port: number) =>
  file
    .slice(file.lastIndexOf('# server {'))
    .split('\n')
    .map((line) => line.replace(/^# ?/, ''))
    .slice(0, 11)
    .join('\n')
    .replace('listen 80;', `listen 127.0.0.1:${port};`)

describe.skipIf(!nginx)('nginx', () => {
  test('answers every link of its set as the app does, and nothing else', async () => {
    const servers = await ownServers()
    const expected = await seedLinks(servers.databaseUrl)
    const env = { DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl, BASE_URL: 'http://localhost' }
    const { code, output } = await runExport(env, [`--folder=${folder}`, '--to=.', 'nginx'])
    expect([code, output]).toEqual([0, expect.stringContaining('Left out: 1 with a password.')])
    await servers.stop()
    const set = readFileSync(join(folder, 'terse-nginx.conf'), 'utf8')
    const port = await freePort()
    mkdirSync(join(folder, 'temp'), { recursive: true })
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/temp;`)
    writeFileSync(
      join(folder, 'nginx.conf'),
      [
        ...['daemon off;', 'master_process off;', `pid ${folder}/nginx.pid;`, 'error_log stderr;', 'events {}'],
        ...['http {', 'access_log off;', ...temporary, `include ${folder}/terse-nginx.conf;`, serverIn(set, port), '}'],
      ].join('\n'),
    )
    const program = start(nginx ?? '', ['-p', folder, '-c', join(folder, 'nginx.conf')])
    try {
      await listening(program, port)
      expect(await compareAll(port, expected)).toBeGreaterThan(200)
    } finally {
      program.child.kill()
    }
  })
})
