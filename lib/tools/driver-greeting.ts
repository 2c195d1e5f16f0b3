/** Longer than what any server greets with: HandshakeV10, or an error of up to 512 bytes. */
const LONGEST = 4_096
const HEADER = 4

/** Of the protocol's first version and a greeting, not an error. */
const HANDSHAKE_V10 = 10
/** Behind the version of the server: the number of the connection, half of the seed, a filler, half of the capabilities. */
const COLLATION = 4 + 8 + 1 + 2
const UTF8MB4_GENERAL_CI = 45

export type Hear = (chunk: Buffer) => void

/**
 * Passes on what a server says, its first packet once that is whole, and with the collation of utf8mb4. The driver (mariadb
 * 3.4.5) writes in the character set that a server greets with until it says otherwise, and throws where Node does not know it.
 * It comes in plain, so anyone who sits between can name one. We say in which one we write, whatever the server's own is.
 *
 * @param isEncrypted whether the driver will ask for TLS: then it hears no more than the greeting in plain. A server waits for
 *   the client's answer then. What comes with it is from somebody who wants it taken for what the server says once the
 *   connection is encrypted: an OK for a login, or the beginning of a packet.
 * @throws Error from what it returns, when that is no greeting, or more was sent than may be
 */
export function greeted(hear: Hear, isEncrypted: boolean): Hear {
  let heard: Buffer = Buffer.alloc(0)
  let isGreeted = false
  return (chunk) => {
    if (isGreeted && !isEncrypted) return hear(chunk)
    heard = Buffer.concat([heard, chunk])
    const whole = heard.length < HEADER ? null : HEADER + heard.readUIntLE(0, 3)
    if (whole !== null && (whole === HEADER || whole > LONGEST)) throw new Error('what answers is no database server')
    if (isGreeted || (isEncrypted && whole !== null && heard.length > whole)) {
      throw new Error('the database server sent more than its greeting before the connection was encrypted')
    }
    if (whole === null || heard.length < whole) return
    isGreeted = true
    const first = heard
    heard = Buffer.alloc(0)
    hear(inUtf8(first))
  }
}

/** @param first holds the first packet whole, and is changed */
function inUtf8(first: Buffer): Buffer {
  const end = HEADER + first.readUIntLE(0, 3)
  const version = first.indexOf(0, HEADER + 1)
  const collation = version + 1 + COLLATION
  if (first[HEADER] === HANDSHAKE_V10 && version !== -1 && collation < end) first[collation] = UTF8MB4_GENERAL_CI
  return first
}
