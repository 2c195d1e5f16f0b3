import type { Link } from '@/lib/db/generated/client'

/** Which columns need more than JSON has. */
const BIGINTS = ['id', 'clicks', 'version', 'clicksBefore'] as const
const BYTES = ['urlHash', 'manageTokenHash'] as const
const DATES = ['startsAt', 'expiresAt', 'createdAt', 'updatedAt', 'historyHiddenAt'] as const

/** A whole Link row as JSON, for DeletedLink. */
export function toSnapshot(link: Link): string {
  const plain: Record<string, unknown> = { ...link }
  for (const key of BIGINTS) plain[key] = link[key].toString()
  for (const key of BYTES) plain[key] = link[key] && Buffer.from(link[key]).toString('base64')
  return JSON.stringify(plain)
}

/** Columns that older snapshots have not. */
const ADDED_SINCE: Partial<Record<keyof Link, unknown>> = {
  stateBeforeBan: '',
  routing: null,
  historyHiddenAt: null,
  preview: null,
  clicksBefore: '0',
}

/** The row again. Columns added since have their defaults. */
export function fromSnapshot(snapshot: string): Link {
  const row: Record<string, unknown> = { ...ADDED_SINCE, ...JSON.parse(snapshot) }
  for (const key of BIGINTS) row[key] = BigInt(row[key] as string)
  for (const key of BYTES) row[key] = row[key] === null ? null : Buffer.from(row[key] as string, 'base64')
  for (const key of DATES) if (typeof row[key] === 'string') row[key] = new Date(row[key])
  return row as unknown as Link
}
