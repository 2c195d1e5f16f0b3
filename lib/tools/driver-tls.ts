import tls, { type SecureVersion } from 'node:tls'
import { guarded } from './driver-socket'

/**
 * What the driver of MySQL (mariadb 3.4.5) does not take care of when it encrypts a connection. It passes
 * most options of TLS on unchanged, so `tls.connect` can tell by one of them which sockets are ours.
 */

/**
 * As `minVersion` of TLS: no connection without a verified certificate, whatever else the connection is given.
 *
 * The driver sets `rejectUnauthorized: false` for any server that says it is MariaDB, over what it is told, and checks the
 * certificate only once it has answered: with the password itself, if the server asks for that. Node knows no such version:
 * unless `tls.connect` was taught it, nothing connects.
 */
const VERIFIED = 'verified' as SecureVersion

const OURS = Symbol.for('terse.driver-tls')
type Connect = typeof tls.connect & { [OURS]?: true }

/** @returns options of TLS that end a connection before anything is sent over it, unless the certificate is verified */
export const verified = <T extends object>(options: T) =>
  ours({ ...options, rejectUnauthorized: true as const, minVersion: VERIFIED })

/** @returns options of TLS that take any certificate */
export const unverified = <T extends object>(options: T) => ours({ ...options, rejectUnauthorized: false as const })

function ours<T extends object>(options: T): T {
  teachConnect()
  return { ...options, [OURS]: true }
}

/** Once for the process, in which this file may be several times. */
function teachConnect(): void {
  const connect = tls.connect as (...args: unknown[]) => tls.TLSSocket
  if ((tls.connect as Connect)[OURS]) return
  const knowing = (...[first, ...others]: unknown[]) => {
    const { [OURS]: isOurs, minVersion, ...options } = Object(first) as tls.ConnectionOptions & { [OURS]?: true }
    if (!isOurs) return connect(first, ...others)
    return guarded(connect(minVersion === VERIFIED ? { ...options, rejectUnauthorized: true } : first, ...others))
  }
  tls.connect = Object.assign(knowing, { [OURS]: true as const }) as typeof tls.connect
}
