import { isCodeOf, isMadeOffline } from '@/lib/codes/offline-secrets'
import type { TerseError } from '@/lib/errors'
import { Breath } from '@/lib/tools/breath'
import { codeOffline } from './code-claims'
import type { LinkContext } from './context'

/** A link that is to have a code: its domain, the code as that domain keeps it, and its destination. */
export interface WantedCode {
  host: string
  code: string
  url: string
}

/**
 * Why an account cannot have these codes: they were made offline, and not by a key that it still has, or for another link. So a
 * code that was printed waits for who made it. Only where there are such codes is anything asked.
 * @param ownerId null without an account
 * @returns what is wrong with each; null: nothing
 * @throws TerseError 'unavailable'
 */
export async function refusalsOffline(
  { config: { APP_SECRET: secret }, db }: Pick<LinkContext, 'config' | 'db'>,
  ownerId: string | null,
  wanted: readonly WantedCode[],
): Promise<(TerseError | null)[]> {
  const made = wanted.map(({ host, code }) => isMadeOffline(secret, host, code))
  const keys = ownerId === null || !made.includes(true) ? [] : await keysOf(db, ownerId)
  const breath = new Breath()
  const refusals: (TerseError | null)[] = []
  for (const [i, { code, ...link }] of wanted.entries()) {
    refusals.push(made[i] && !isCodeOf(secret, keys, link, code) ? codeOffline(code) : null)
    if (breath.isDue) await breath.pause()
  }
  return refusals
}

/** Refuses one such code. @throws TerseError 'conflict', 'unavailable' */
export async function requireOwnOffline(
  ctx: Pick<LinkContext, 'config' | 'db'>,
  ownerId: string | null,
  wanted: WantedCode,
): Promise<void> {
  const [refusal] = await refusalsOffline(ctx, ownerId, [wanted])
  if (refusal) throw refusal
}

/** The IDs of an account's API keys that are good. */
async function keysOf(db: LinkContext['db'], ownerId: string): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(
    'SELECT id FROM ApiKey WHERE referenceId = ? AND enabled AND (expiresAt IS NULL OR expiresAt > UTC_TIMESTAMP(3))',
    ownerId,
  )
  return rows.map(({ id }) => id)
}
