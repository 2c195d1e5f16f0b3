import type { Config } from '@/lib/config'
import type { DatabaseGateway } from '@/lib/db/gateway'

/** What is left to do after the first start, in this order. Each step can be skipped. */
export const FIRST_STEPS = ['domain', 'mail', 'signUp', 'import'] as const
export type FirstStep = (typeof FIRST_STEPS)[number]

interface Context {
  config: Config
  db: DatabaseGateway
}

/**
 * Which steps are done, as the settings and the tables say. Nothing is kept about it.
 * @throws TerseError 'unavailable'
 */
export async function firstStepsDone({ config, db }: Context): Promise<Record<FirstStep, boolean>> {
  const links = await db.rows('SELECT 1 FROM Link LIMIT 1')
  return {
    domain: !isThisMachine(config.BASE_URL),
    mail: config.SMTP_URL !== undefined,
    // Its default is as good as any other: what counts is that somebody chose.
    signUp: config.given.has('SIGN_UP'),
    import: links.length > 0,
  }
}

/** Whether only browsers on this machine reach an address. */
export const isThisMachine = (baseUrl: string) => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(baseUrl).hostname)
