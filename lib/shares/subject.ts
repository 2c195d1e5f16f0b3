import type { DatabaseGateway } from '@/lib/db/gateway'
import type { Link, StatsShare } from '@/lib/db/generated/client'
import type { Domains } from '@/lib/domains/domains'
import { LABEL_KINDS } from '@/lib/labels/values'
import { type Scope, scopeOf } from '@/lib/scopes/scope'
import type { ShareKind } from './values'

/** What a share is of, as long as that is there. */
export interface Subject {
  kind: ShareKind
  /** As people know it: the short link, or a name; '' for all links. */
  name: string
  /** Null: several. */
  link: Link | null
  scope: Scope | null
}

interface Context {
  db: DatabaseGateway
  domains: Domains
}

/** What some shares of one account are of; null: it is gone, or no longer that account's. @throws TerseError 'unavailable' */
export async function subjectsOf({ db, domains }: Context, shares: readonly StatsShare[]): Promise<(Subject | null)[]> {
  const [first] = shares
  if (!first) return []
  const { ownerId } = first
  const linkIds = shares.flatMap(({ linkId }) => linkId ?? [])
  const scopes = shares.map((share) => (share.linkId === null ? scopeOf(share) : null))
  const labelIds = scopes.flatMap((scope) => (scope?.kind === 'label' ? [scope.subject] : []))
  const [links, labels] = await Promise.all([
    linkIds.length === 0 ? [] : db.read((client) => client.link.findMany({ where: { id: { in: linkIds }, ownerId } })),
    labelIds.length === 0 ? [] : db.read((client) => client.label.findMany({ where: { id: { in: labelIds }, ownerId } })),
  ])
  const linksById = new Map(links.map((link) => [link.id, link]))
  const labelsById = new Map(labels.map((label) => [label.id, label]))
  return shares.map(({ linkId }, i): Subject | null => {
    const scope = scopes[i] ?? null
    if (scope === null) {
      const link = linkId === null ? undefined : linksById.get(linkId)
      return link ? { kind: 'link', name: link.fullShortUrl, link, scope } : null
    }
    if (scope.kind === 'all') return { kind: 'all', name: '', link: null, scope }
    if (scope.kind === 'domain') {
      const host = domains.hosts.find((one) => BigInt(domains.find(one)?.id ?? -1) === scope.subject)
      return host === undefined ? null : { kind: 'domain', name: host, link: null, scope }
    }
    const label = labelsById.get(scope.subject)
    return label ? { kind: label.kind === LABEL_KINDS.folder ? 'folder' : 'tag', name: label.name, link: null, scope } : null
  })
}
