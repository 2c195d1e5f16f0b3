import { codeProblem, MAX_CODE_LENGTH, normalCode } from '@/lib/codes/custom'
import { codeProblemOn } from '@/lib/codes/on-domain'
import { isTerseError, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { normaliseHost } from '@/lib/net/host'
import type { LinkContext } from './context'
import type { Prepared } from './create-many'
import { takenOf } from './find-codes'
import type { ImportRow } from './import-source'
import { fieldsOf } from './properties'
import type { SeenCodes } from './seen-codes'

/** Codes that are tried for one that cannot be taken over. */
const TRIES = 3

/**
 * Has each row whose code cannot be taken over name a free one that is near it. None is given to it: links under other codes than
 * those that were printed are for their owner to decide.
 * @throws TerseError 'unavailable'
 */
export async function suggestCodes(
  ctx: Pick<LinkContext, 'db' | 'domains' | 'blocklist'>,
  codes: SeenCodes,
  rows: readonly ImportRow[],
  prepared: readonly Prepared[],
): Promise<readonly Prepared[]> {
  const near = prepared.map((one, index) => (isOfCode(refusalIn(one)) ? nearCodes(ctx, rows[index] ?? {}) : []))
  const taken = await takenOf(
    ctx,
    near.flat().map(({ full }) => full),
  )
  const suggested = new Set<string>()
  return prepared.map((one, index) => {
    const refusal = refusalIn(one)
    const free = near[index]?.find(
      ({ full }) => !taken.has(full) && !suggested.has(full) && codes.before(full, Infinity) === null,
    )
    if (!refusal || !free) return one
    suggested.add(free.full)
    const [first] = refusal.errors ?? []
    return new TerseError(refusal.code, say('api.import.suggest', { why: first?.message ?? refusal.said, code: free.code }))
  })
}

function refusalIn(one: Prepared): TerseError | null {
  if (isTerseError(one)) return one
  return isTerseError(one.found) ? one.found : null
}

/** Whether nothing but its code keeps a link from being created: what is wrong with it, or that another link has it. */
function isOfCode(refusal: TerseError | null): boolean {
  if (!refusal) return false
  if (refusal.said.key === 'api.link.codeTaken' || refusal.said.key === 'api.link.codeOffline') return true
  return (
    refusal.code === 'validation_failed' &&
    (refusal.errors ?? []).length > 0 &&
    refusal.errors?.every(({ path }) => path === 'code') === true
  )
}

/** What a code could be instead, the nearest first. */
function nearCodes({ domains, blocklist }: Pick<LinkContext, 'domains' | 'blocklist'>, row: ImportRow) {
  const { code, domain } = fieldsOf(row)
  if (typeof code !== 'string') return []
  const host = typeof domain === 'string' ? normaliseHost(domain) : domains.defaultHost
  // Of what is far too long nothing near it can be taken.
  const plain = normalCode(code.slice(0, 4 * MAX_CODE_LENGTH))
    .replace(/[\s%?#\\<>"^`{|}\p{C}]+/gu, '-')
    .replace(/\/{2,}/g, '/')
    .replace(/^\/+|\/(\*|\/)*$/g, '')
  const short = [...plain].slice(0, MAX_CODE_LENGTH - 2).join('')
  return [plain, ...Array.from({ length: TRIES }, (_, i) => `${short || 'link'}-${i + 2}`)]
    .filter((near) => near !== code && (codeProblem(near) ?? codeProblemOn(near, domains.codeRules(host))) === null)
    .filter((near) => !blocklist.isBlocked({ code: near }))
    .map((near) => ({ code: near, full: domains.fullOf(host, near) }))
}
