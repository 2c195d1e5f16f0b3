import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeCertificates } from '@/scripts/lib/certificates.mjs'
import { serverPrograms, startServers } from '@/scripts/servers.mjs'
import { atEnd } from './cleanup'

export type Certificates = Awaited<ReturnType<typeof makeCertificates>>

export interface TlsDatabase {
  /** The URL with these options, for 127.0.0.1 or another name of this machine. */
  urlWith: (options: Record<string, string>, host?: string) => string
  /** Files: the authority of the server's certificate, which is for 127.0.0.1, and the certificate itself. */
  own: Certificates
  /** Of another authority. */
  foreign: Certificates
}

/** Certificates of two authorities, in a folder that is removed when the file's tests are done. */
export async function testCertificates(): Promise<{ dir: string; own: Certificates; foreign: Certificates }> {
  const dir = mkdtempSync(join(tmpdir(), 'terse-unit-tls-'))
  atEnd(() => rmSync(dir, { recursive: true, force: true }))
  const certificates = (name: string) => {
    mkdirSync(join(dir, name))
    return makeCertificates(join(dir, name))
  }
  const [own, foreign] = [await certificates('own'), await certificates('foreign')]
  return { dir, own, foreign }
}

/** A database that takes no connection without TLS, ended when the file's tests are done. */
export async function tlsDatabase(): Promise<TlsDatabase> {
  const { dir, own, foreign } = await testCertificates()
  const programs = {
    ...(await serverPrograms()),
    mariadbArgs: ['--require-secure-transport=ON', `--ssl-ca=${own.ca}`, `--ssl-cert=${own.cert}`, `--ssl-key=${own.key}`],
    mariadbQuery: '',
  }
  const servers = await startServers({ dir: join(dir, 'servers'), sync: false, programs })
  atEnd(() => servers.stop())
  const urlWith = (options: Record<string, string>, host = '127.0.0.1') => {
    const url = new URL(servers.databaseUrl)
    url.hostname = host
    url.search = new URLSearchParams(options).toString()
    return url.href
  }
  return { urlWith, own, foreign }
}
