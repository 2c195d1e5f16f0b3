import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { expect, it, onTestFinished } from 'vitest'
import { describeError } from '@/lib/log'
import { testBrand } from '@/lib/testing/brand'
import { Mailer } from './mailer'

const MAIL = {
  to: 'victim@example.com',
  subject: 'You are invited',
  text: 'Open http://terse.test/invite/SECRET',
  locale: { language: 'en', locale: 'en-GB' },
} as const

const refusal = (words: string) => Object.assign(new Error(words), { responseCode: 554 })

/** The URL of a mail server that refuses mails, until the test ends. */
async function refusing(how: SMTPServerOptions): Promise<string> {
  const server = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'], ...how })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
}

it.each<[string, SMTPServerOptions, object]>([
  [
    'the recipient',
    { onRcptTo: ({ address }, _, done) => done(refusal(`<${address}>: no such user`)) },
    { code: 'EENVELOPE', responseCode: 554, command: 'RCPT TO' },
  ],
  [
    'a link in the text',
    {
      onData: (stream, _, done) => {
        stream.resume()
        stream.on('end', () => done(refusal('URL http://terse.test/invite/SECRET is listed')))
      },
    },
    { code: 'EMESSAGE', responseCode: 554, command: 'DATA' },
  ],
])('a mail server that refuses %s is in the log by its codes; its words are for the admin who asks', async (_, how, codes) => {
  const lines: string[] = []
  const log = pino({ serializers: { err: describeError } }, { write: (line: string) => lines.push(line) })
  const config = { SMTP_URL: await refusing(how), MAIL_FROM: undefined, BASE_URL: 'http://terse.test' }
  const mailer = new Mailer(config, testBrand(), log)
  expect(await mailer.refusalOf(MAIL)).toMatch(/victim@example|SECRET/)
  mailer.close()
  const logged = lines.join('')
  expect(logged).not.toMatch(/victim|SECRET|invite\//)
  expect(JSON.parse(logged)).toMatchObject({ ...codes, subject: MAIL.subject })
})
