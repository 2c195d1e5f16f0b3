import { randomBytes } from 'node:crypto'
import type { Account } from '@/lib/actor'
import { auditIn } from '@/lib/audit/audit'
import type { Config } from '@/lib/config'
import type { DatabaseGateway } from '@/lib/db/gateway'
import type { StatsShare } from '@/lib/db/generated/client'
import { nextId } from '@/lib/db/id'
import type { Domains } from '@/lib/domains/domains'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { fullShortUrlOf } from '@/lib/links/find'
import { findScope, keyOf } from '@/lib/scopes/scope'
import { sha256 } from '@/lib/tools/hash'
import { hashPassword } from '@/lib/tools/password'
import type { CreateShare, ShareView } from './schemas'
import { type Subject, subjectsOf } from './subject'
import { MOST_SHARES } from './values'

export interface SharesContext {
  config: Pick<Config, 'BASE_URL'>
  db: DatabaseGateway
  domains: Domains
}

/** Who creates or revokes one. */
interface By {
  account: Account
  address: string
}

/** 128 random bits. */
const TOKEN_BYTES = 16

/**
 * Shares statistics of an account. Its token is told this once: only its hash is kept.
 * @throws TerseError 'not_found' for what the account has not, 'conflict' for one too many, 'validation_failed', 'unavailable'
 */
export async function createShare(ctx: SharesContext, by: By, input: CreateShare): Promise<ShareView> {
  const { account } = by
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const row: StatsShare = {
    ...(await targetOf(ctx, account.id, input)),
    id: nextId(),
    tokenHash: sha256(token),
    ownerId: account.id,
    passwordHash: input.password === null ? null : await hashPassword(input.password),
    embeddable: input.embeddable,
    createdAt: new Date(),
    expiresAt: input.expiresAt,
    seenAt: null,
    label: input.label,
  }
  const [subject] = await subjectsOf(ctx, [row])
  if (!subject) throw new TerseError('not_found', say('api.link.none'))
  await ctx.db.atomicOf(account.id, async (tx) => {
    if ((await tx.statsShare.count({ where: { ownerId: account.id } })) >= MOST_SHARES) {
      throw new TerseError('conflict', say('api.share.tooMany', { most: MOST_SHARES }))
    }
    await tx.statsShare.createMany({ data: [row] })
    await auditIn(tx, by, 'share.create', targetName(subject), detailsOf(row))
  })
  const base = `${ctx.config.BASE_URL}/api/v1/shared/${token}`
  return {
    ...viewOf(row, subject, account),
    url: `${ctx.config.BASE_URL}/stats?share=${token}`,
    ...(row.embeddable && { badgeUrl: `${base}/badge.svg`, embedUrl: `${base}/embed` }),
  }
}

/** Which link, or which links. */
async function targetOf(ctx: SharesContext, ownerId: string, { code, ...scope }: CreateShare) {
  if (code === undefined) {
    const [, kind, subject] = keyOf(await findScope(ctx, ownerId, scope))
    return { linkId: null, kind: Number(kind), subject: BigInt(subject ?? 0) }
  }
  const where = { fullShortUrl: fullShortUrlOf(ctx, { code, domain: scope.domain }), ownerId }
  const link = await ctx.db.read((client) => client.link.findFirst({ where, select: { id: true } }))
  if (!link) throw new TerseError('not_found', say('api.link.notYours'))
  return { linkId: link.id, kind: 0, subject: 0n }
}

/** Those of an account that still show something, the newest first. @throws TerseError 'unavailable' */
export async function listShares(ctx: SharesContext, account: Account): Promise<ShareView[]> {
  const rows = await ctx.db.read((client) =>
    client.statsShare.findMany({ where: { ownerId: account.id }, orderBy: { id: 'desc' }, take: MOST_SHARES }),
  )
  const subjects = await subjectsOf(ctx, rows)
  return rows.flatMap((row, i) => {
    const subject = subjects[i]
    return subject ? [viewOf(row, subject, account)] : []
  })
}

/** Ends a share at once. @throws TerseError 'not_found', 'unavailable' */
export async function revokeShare(ctx: SharesContext, by: By, id: bigint): Promise<void> {
  const where = { id, ownerId: by.account.id }
  const row = await ctx.db.read((client) => client.statsShare.findFirst({ where }))
  const [subject] = row ? await subjectsOf(ctx, [row]) : []
  await ctx.db.atomic(async (tx) => {
    const { count } = await tx.statsShare.deleteMany({ where })
    if (!row || count === 0) throw new TerseError('not_found', say('api.share.none'))
    await auditIn(tx, by, 'share.revoke', subject ? targetName(subject) : `share ${id}`, detailsOf(row))
  })
}

const targetName = ({ kind, name }: Subject) => (kind === 'link' ? name : `${kind} ${name}`.trim())

const detailsOf = ({ id, passwordHash, embeddable, expiresAt }: StatsShare) => ({
  share: id.toString(),
  hasPassword: passwordHash !== null,
  embeddable,
  expiresAt,
})

const viewOf = (row: StatsShare, { kind, name }: Subject, { handle }: Account): ShareView => ({
  id: row.id.toString(),
  kind,
  name,
  label: row.label,
  hasPassword: row.passwordHash !== null,
  embeddable: row.embeddable,
  createdBy: handle,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt?.toISOString() ?? null,
  seenAt: row.seenAt?.toISOString() ?? null,
})
