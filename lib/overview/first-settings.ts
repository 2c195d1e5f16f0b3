import type { Config } from '@/lib/config'
import { type FirstStep, isThisMachine } from './first-steps'

/** A setting, and what it may be set to. */
export interface Setting {
  name: string
  value: string
}

/** Settings as the lines of `.env`. */
export const settingLine = ({ name, value }: Setting): string => `${name}=${/[\s<>#'"$]/.test(value) ? `"${value}"` : value}`

/** The host that this page was opened at, where short links start with another one. */
export const openedElsewhere = (config: Pick<Config, 'BASE_URL'>, openedAt: string | null): string | null =>
  openedAt === null || openedAt === new URL(config.BASE_URL).host ? null : openedAt

type Known = Pick<Config, 'BASE_URL' | 'SMTP_URL' | 'SIGN_UP' | 'ANONYMOUS_LINKS' | 'given'>

/** What the steps suggest to set, with examples for values that only the operator knows; nothing of what is set. */
export function suggestedSettings(config: Known, openedAt: string | null): Record<Exclude<FirstStep, 'import'>, Setting[]> {
  const local = isThisMachine(config.BASE_URL)
  const elsewhere = openedElsewhere(config, openedAt)
  const host = local ? 'example.com' : new URL(config.BASE_URL).hostname
  return {
    domain:
      local || elsewhere ? [{ name: 'BASE_URL', value: elsewhere ? `https://${elsewhere}` : 'https://go.example.com' }] : [],
    mail: config.SMTP_URL
      ? []
      : [
          { name: 'SMTP_URL', value: `smtps://user:password@mail.${host}` },
          { name: 'MAIL_FROM', value: `Links <links@${host}>` },
        ],
    signUp: [
      { name: 'SIGN_UP', value: config.SIGN_UP },
      { name: 'ANONYMOUS_LINKS', value: config.ANONYMOUS_LINKS ? 'on' : 'off' },
    ].filter(({ name }) => !config.given.has(name)),
  }
}
