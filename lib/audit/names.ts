import type { DatabaseGateway } from '@/lib/db/gateway'
import type { AuditEntry } from '@/lib/db/generated/client'

/** What the log's numbers stand for today. Of what is gone since nothing is known but what the log has. */
export interface Names {
  /** Name of the admin. */
  actorOf: (row: AuditEntry) => string
  /** Name of an account, title of a link, email of an invitation; '' for none. */
  targetOf: (row: AuditEntry) => string
}

/** @throws TerseError 'unavailable' */
export async function namesOf(db: DatabaseGateway, rows: readonly AuditEntry[]): Promise<Names> {
  const named = (what: string) =>
    rows.flatMap(({ target }) => (target.startsWith(`${what} `) ? target.slice(what.length + 1) : []))
  const [handles, invitations] = [named('account'), named('invitation')]
  const links = rows.flatMap(({ action, target }) => (/^(link|report)\./.test(action) ? target : []))
  const [users, titles, invited] = await db.read((client) =>
    Promise.all([
      client.user.findMany({
        where: { OR: [{ id: { in: rows.map(({ actorId }) => actorId) } }, { handle: { in: handles } }] },
        select: { id: true, handle: true, name: true },
      }),
      links.length === 0
        ? []
        : client.link.findMany({ where: { fullShortUrl: { in: links } }, select: { fullShortUrl: true, title: true } }),
      invitations.length === 0
        ? []
        : client.invitation.findMany({
            where: { id: { in: invitations.filter((id) => /^\d+$/.test(id)).map(BigInt) } },
            select: { id: true, email: true },
          }),
    ]),
  )
  const accounts = new Map(users.map(({ id, name, handle }) => [id, name || handle || '']))
  const targets = new Map([
    ...users.map(({ handle, name }): [string, string] => [`account ${handle}`, name]),
    ...titles.map(({ fullShortUrl, title }): [string, string] => [fullShortUrl, title]),
    ...invited.map(({ id, email }): [string, string] => [`invitation ${id}`, email]),
  ])
  return {
    actorOf: ({ actorId, actor }) => accounts.get(actorId) || actor,
    targetOf: ({ target }) => targets.get(target) ?? '',
  }
}
