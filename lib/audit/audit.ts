import type { z } from 'zod'
import type { Transaction } from '@/lib/db/client'
import type { DatabaseGateway } from '@/lib/db/gateway'
import type { AuditEntry } from '@/lib/db/generated/client'
import { nextId } from '@/lib/db/id'
import { insertMany, type Runner } from '@/lib/db/insert-many'
import { behindId, byId, pageOf } from '@/lib/tools/cursor'
import { type Names, namesOf } from './names'
import type { AuditQuery, AuditView, By } from './schemas'
import type { AuditAction } from './values'

/** Entries of the history of one thing. */
const SHOWN = 50

type Context = { db: DatabaseGateway }

/**
 * Writes down what an admin has done, before it is told that it is done.
 * @param target what it was done to: a full short URL, `account 48213370`, a host
 * @throws TerseError 'unavailable'
 */
export async function audit(
  { db }: Context,
  by: By,
  action: AuditAction,
  target: string,
  details: Record<string, unknown> = {},
): Promise<void> {
  await db.write((client) => auditIn(client, by, action, target, details))
}

/** The same in the transaction that does it. */
export async function auditIn(
  client: Pick<Transaction, 'auditEntry'>,
  by: By,
  action: AuditAction,
  target: string,
  details: Record<string, unknown>,
): Promise<void> {
  await client.auditEntry.createMany({ data: [rowOf(by, action, { target, details })] })
}

/** What something was done to. */
interface Done {
  target: string
  details: Record<string, unknown>
}

/** The same of many. */
export const auditManyIn = (tx: Runner, by: By, action: AuditAction, done: readonly Done[]): Promise<void> =>
  insertMany(
    tx,
    'AuditEntry',
    done.map((one) => rowOf(by, action, one)),
  )

const rowOf = ({ account, address }: By, action: AuditAction, { target, details }: Done): AuditEntry => ({
  id: nextId(),
  at: new Date(),
  actorId: account.id,
  actor: `${account.handle} ${account.email}`.trim().slice(0, 300),
  action,
  target: target.slice(0, 400),
  details: JSON.stringify(details),
  address: address.slice(0, 64),
})

/**
 * What was done, the latest first.
 * @param nameOf another way in which the log may name the target that is asked for
 * @throws TerseError 'bad_request', 'unavailable'
 */
export async function listAudit(
  { db }: Context,
  { limit, cursor, actor, action, target }: z.output<typeof AuditQuery>,
  nameOf: (target: string) => string | null = () => null,
): Promise<{ entries: AuditView[]; nextCursor: string | null }> {
  const where = {
    ...behindId(cursor),
    ...(actor === undefined ? {} : { actorId: actor }),
    ...(action === undefined ? {} : { action }),
    ...(target === undefined ? {} : { target: { in: [target, nameOf(target) ?? target] } }),
  }
  const rows = await db.read((client) => client.auditEntry.findMany({ where, orderBy: { id: 'desc' }, take: limit + 1 }))
  const { page, nextCursor } = pageOf(rows, limit, byId)
  return { entries: await toAuditViews(db, page), nextCursor }
}

/** The latest that was done to one thing. @param target as `audit` was told. @throws TerseError 'unavailable' */
export async function historyOf({ db }: Context, target: string): Promise<AuditView[]> {
  const rows = await db.read((client) => client.auditEntry.findMany({ where: { target }, orderBy: { id: 'desc' }, take: SHOWN }))
  return toAuditViews(db, rows)
}

async function toAuditViews(db: DatabaseGateway, rows: readonly AuditEntry[]): Promise<AuditView[]> {
  const names = await namesOf(db, rows)
  return rows.map((row) => toAuditView(row, names))
}

function toAuditView(row: AuditEntry, names: Names): AuditView {
  const { at, actor, actorId, action, target, address } = row
  return {
    id: row.id.toString(),
    at: at.toISOString(),
    actor,
    actorId,
    actorName: names.actorOf(row),
    action,
    target,
    targetName: names.targetOf(row),
    details: JSON.parse(row.details) as Record<string, unknown>,
    address,
  }
}
