import { invalidField } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { shortUrlOf } from '@/lib/links/view'
import type { Runtime } from '@/lib/runtime'
import { clicksOf, type FiledLink, otherDomainOf } from '../links'

/**
 * The ID of a link in the form of a UUID, which Kutt’s are: the 64 bits of ours at its beginning, and the version for UUIDs of
 * one’s own making (RFC 9562, 8).
 */
export function uuidOf(id: bigint): string {
  const hex = id.toString(16).padStart(16, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(12, 15)}-8${hex.slice(15)}00-000000000000`
}

const OURS = /^([0-9a-f]{8})-([0-9a-f]{4})-8([0-9a-f]{3})-8([0-9a-f])00-000000000000$/i

/** The ID that such a UUID holds; null for one that we did not make. */
export function idOfUuid(uuid: string): bigint | null {
  const found = OURS.exec(uuid)
  const id = found && BigInt(`0x${found.slice(1).join('')}`)
  return id !== null && id < 2n ** 63n ? id : null
}

/** A link as Kutt shows it. */
export function linkView(ctx: Pick<Runtime, 'domains'>, link: FiledLink) {
  return {
    id: uuidOf(link.id),
    address: link.code,
    target: link.url,
    description: link.filing.comment || link.title || null,
    domain: otherDomainOf(ctx, link),
    link: shortUrlOf(ctx, link),
    password: link.passwordHash !== null,
    banned: link.state === 'banned',
    visit_count: clicksOf(link),
    expire_in: link.expiresAt?.toISOString() ?? null,
    created_at: link.createdAt.toISOString(),
    updated_at: link.updatedAt.toISOString(),
  }
}

interface DomainFacts {
  id: number | string
  host: string
  rootUrl?: string | null
  createdAt?: string | null
}

/** A domain as Kutt shows it. */
export function domainView({ config }: Pick<Runtime, 'config'>, { id, host, rootUrl, createdAt = null }: DomainFacts) {
  return {
    ...{ id: uuidOf(BigInt(id)), address: host, banned: false, homepage: rootUrl ?? new URL(config.BASE_URL).host },
    ...{ created_at: createdAt, updated_at: createdAt },
  }
}

const UNITS: Readonly<Record<string, number>> = {
  ...{ ms: 1, s: 1e3, m: 60e3, h: 3600e3, d: 86_400e3, w: 604_800e3, y: 31_557_600e3 },
}
/** Names of these units, the longest first. */
const NAMES: readonly [RegExp, keyof typeof UNITS][] = [
  [/^(milliseconds?|msecs?|ms)$/, 'ms'],
  [/^(seconds?|secs?|s)$/, 's'],
  [/^(minutes?|mins?|m)$/, 'm'],
  [/^(hours?|hrs?|h)$/, 'h'],
  [/^(days?|d)$/, 'd'],
  [/^(weeks?|w)$/, 'w'],
  [/^(years?|yrs?|y)$/, 'y'],
]

/** When something expires that does so in `2 days`, `1.5h`, or so many ms. @throws TerseError 'validation_failed' */
export function expiryIn(text: string, now = Date.now()): string {
  const [, amount = '', unit = ''] = /^(\d{1,12}(?:\.\d{1,6})?)\s*([a-z]*)$/i.exec(text.trim()) ?? []
  const name = unit === '' ? 'ms' : NAMES.find(([names]) => names.test(unit.toLowerCase()))?.[1]
  const ms = amount === '' || name === undefined ? Number.NaN : Number(amount) * (UNITS[name] ?? Number.NaN)
  if (!(ms >= 60_000 && ms <= 100 * 31_557_600e3)) throw invalidField('expire_in', say('api.request.span'))
  return new Date(now + ms).toISOString()
}
