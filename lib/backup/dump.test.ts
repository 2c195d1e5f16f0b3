import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { migrate } from '@/lib/db/migrate'
import { greeting } from '@/lib/testing/impostor'
import { tlsDatabase } from '@/lib/testing/tls'
import { ensureTools } from '@/scripts/lib/tools.mjs'
import { dumpRows } from './dump'

const { urlWith, own, foreign } = await tlsDatabase()
const { dump: program } = await ensureTools(['dump'])

async function dumped(url: string): Promise<string> {
  let text = ''
  for await (const chunk of dumpRows(program, url, ['Domain', '_prisma_migrations'])) text += chunk.toString()
  return text
}

describe('the rows of a database that takes no connection without TLS', () => {
  it('are read with the options of DATABASE_URL', async () => {
    const url = urlWith({ 'ssl-mode': 'VERIFY_IDENTITY', 'ssl-ca': own.ca })
    await migrate(url)
    expect(await dumped(url)).toContain('INSERT INTO `_prisma_migrations`')
    expect(await dumped(urlWith({ 'ssl-mode': 'REQUIRED' }))).toContain('INSERT INTO `_prisma_migrations`')
  })

  it.each([
    ['without TLS', {}, '127.0.0.1'],
    ['when another authority issued the certificate', { 'ssl-ca': foreign.ca }, '127.0.0.1'],
    ['when the certificate is for another host', { 'ssl-ca': own.ca }, 'localhost'],
  ])('are not read %s', async (_, options, host) => {
    await expect(dumped(urlWith(options, host))).rejects.toThrow(`${program} failed`)
  })

  it('are read with VERIFY_CA where the certificate names the host; the error says so where it does not', async () => {
    const options = { 'ssl-mode': 'VERIFY_CA', 'ssl-ca': own.ca }
    expect(await dumped(urlWith(options))).toContain('INSERT INTO `_prisma_migrations`')
    await expect(dumped(urlWith(options, 'localhost'))).rejects.toThrow('it also checks the name')
  })
})

it('a server that falls silent once it is asked for TLS ends the dump with an error', async () => {
  const silent = createServer((socket) => {
    socket.on('error', () => {})
    socket.write(greeting('5.5.5-11.4.2-MariaDB', 'mysql_native_password'))
    socket.resume()
  })
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(() => void silent.close())
  const url = `mysql://u:p@127.0.0.1:${(silent.address() as AddressInfo).port}/terse?ssl-mode=REQUIRED`
  const rows = dumpRows(program, url, [], undefined, 1_000)
  await expect(rows.next()).rejects.toThrow(`${program} gave nothing for 1 s`)
})

it('no clock runs while the reader takes its time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const rows = dumpRows(program, urlWith({ 'ssl-mode': 'REQUIRED' }), ['_prisma_migrations'])
  expect((await rows.next()).done).toBe(false)
  vi.advanceTimersByTime(3_600_000)
  for await (const row of rows) expect(row.length).toBeGreaterThan(0)
})

it.each(['MariaDB', 'MySQL'])('without ssl-ca, the program of %s trusts the authorities that Node trusts', async (engine) => {
  const folder = mkdtempSync(join(tmpdir(), 'terse-unit-dump-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  // Gives the authorities that it was told of.
  const script = `#!/bin/sh
case "$*" in *--version) echo ${engine}; exit;; esac
cat "$(sed -n 's/^ssl-ca="\\(.*\\)"$/\\1/p' "\${1#--defaults-file=}")"
`
  const told = join(folder, 'told')
  writeFileSync(told, script, { mode: 0o755 })
  let text = ''
  for await (const chunk of dumpRows(told, 'mysql://u:p@db.example/terse?ssl-mode=VERIFY_IDENTITY', [])) text += chunk.toString()
  const found = text.match(/-----BEGIN CERTIFICATE-----/g)
  expect(found?.length).toBeGreaterThanOrEqual(rootCertificates.length)
})
