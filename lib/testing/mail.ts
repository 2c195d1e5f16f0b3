import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { vi } from 'vitest'
import { atEnd } from './cleanup'

export interface Received {
  from: string
  to: string[]
  /** The whole message as it came, soft line breaks of quoted-printable undone. */
  raw: string
}

/** A mail server of this test file's own. */
export class Mailbox {
  private constructor(
    readonly url: string,
    private readonly received: Received[],
  ) {}

  static async open(): Promise<Mailbox> {
    const received: Received[] = []
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onData(stream, session, done) {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          const { mailFrom, rcptTo } = session.envelope
          const raw = Buffer.concat(chunks).toString().replace(/=\r\n/g, '').replaceAll('=3D', '=')
          received.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address), raw })
          done()
        })
      },
    })
    server.listen(0, '127.0.0.1')
    await once(server.server, 'listening')
    atEnd(() => new Promise<void>((resolve) => server.close(() => resolve())))
    return new Mailbox(`smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`, received)
  }

  to(address: string): Received[] {
    return this.received.filter((mail) => mail.to.includes(address))
  }

  /** Waits for the next mail to this address, the `nth` in all. */
  mail(address: string, nth = 1): Promise<Received> {
    return vi.waitFor(
      () => {
        const mail = this.to(address)[nth - 1]
        if (!mail) throw new Error(`no mail number ${nth} to ${address}`)
        return mail
      },
      { timeout: 5_000 },
    )
  }
}

/** The first address of ours in a mail. */
export function linkIn({ raw }: Received): URL {
  return new URL(/http:\/\/terse\.test\/\S+/.exec(raw)?.[0] ?? 'no link')
}
