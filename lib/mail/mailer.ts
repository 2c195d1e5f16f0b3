import type { Transporter } from 'nodemailer'
import type { Logger } from 'pino'
import type { Brand } from '@/lib/brand/brand'
import type { Config } from '@/lib/config'
import type { Locale } from '@/lib/i18n/languages'
import { htmlOf, textFootOf } from './html'

export interface Mail {
  to: string
  subject: string
  /** Plain text, paragraphs divided by empty lines; an HTML part is made of it, and both say whose mail it is. */
  text: string
  /** What it is written in. */
  locale: Locale
}

/** A mail server that does not answer is given up after so many ms. */
const PATIENCE = 15_000

/** The way to the mail server of SMTP_URL. What understands SMTP is loaded with the first mail. */
export class Mailer {
  private transport: Transporter | undefined
  /** Who mails are from. */
  readonly from: string | { name: string; address: string }

  constructor(
    private readonly config: Pick<Config, 'SMTP_URL' | 'MAIL_FROM' | 'BASE_URL'>,
    private readonly brand: Brand,
    private readonly log: Logger,
  ) {
    this.from = config.MAIL_FROM ?? { name: brand.name, address: `no-reply@${new URL(config.BASE_URL).hostname}` }
  }

  /** Whether mails can be sent at all. */
  get enabled(): boolean {
    return this.config.SMTP_URL !== undefined
  }

  /**
   * Hands a mail to the mail server. Never throws: what a mail is about must not fail with it.
   * @returns whether the mail server took it
   */
  async send(mail: Mail): Promise<boolean> {
    return this.enabled && (await this.refusalOf(mail)) === null
  }

  /**
   * As `send`, for an admin who wants to know what is wrong.
   * @returns why the mail server did not take it, in its words or those of the connection; null when it did
   */
  async refusalOf({ to, subject, text, locale }: Mail): Promise<string | null> {
    const { SMTP_URL = '', BASE_URL } = this.config
    try {
      this.transport ??= await connect(SMTP_URL)
      await this.transport.sendMail({
        from: this.from,
        to,
        subject,
        text: text.trimEnd() + textFootOf(this.brand, BASE_URL, locale),
        html: htmlOf(text, this.brand, BASE_URL, locale),
      })
      return null
    } catch (error) {
      // The server's words can repeat the address, and links with their tokens.
      const { code, responseCode, command } = error as { code?: string; responseCode?: number; command?: string }
      this.log.error({ code, responseCode, command, subject }, 'a mail was not sent; see SMTP_URL')
      return error instanceof Error ? error.message : String(error)
    }
  }

  close(): void {
    this.transport?.close()
  }
}

async function connect(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer')
  return createTransport({ url, connectionTimeout: PATIENCE, greetingTimeout: PATIENCE, socketTimeout: PATIENCE })
}
