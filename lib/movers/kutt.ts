import { say } from '@/lib/i18n/message'
import { countOf, listed, live, placeAfter } from './live'
import type { Mover } from './mover'
import { isTrue, rowOf, type Said } from './said'
import type { SqlValue } from './sql-values'

/** The columns of its tables, in the order in which it creates them. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  links: [
    ...['id', 'address', 'description', 'banned', 'banned_by_id', 'domain_id', 'password', 'expire_in', 'target', 'user_id'],
    ...['visit_count', 'uuid', 'created_at', 'updated_at'],
  ],
  domains: ['id', 'banned', 'banned_by_id', 'address', 'homepage', 'user_id', 'uuid', 'created_at', 'updated_at'],
  users: ['id'],
}

/** Accounts and domains that are known at a time, and characters of a name: a dump has room for more than memory has. */
const MOST_KNOWN = 500_000
const LONGEST_NAME = 320
const note = (names: Map<SqlValue, string>, id: SqlValue, name: SqlValue | undefined) => {
  if (names.size < MOST_KNOWN) names.set(id, String(name ?? '').slice(0, LONGEST_NAME))
}

/** Links that one request gives at most. */
const PAGE = 50

const saidOf = (link: Readonly<Record<string, unknown>>): Said => ({
  code: link.address,
  url: link.target,
  title: link.description,
  expiresAt: link.expire_in,
  createdAt: link.created_at,
  clicksBefore: link.visit_count,
  // What an admin banned there stays closed here.
  enabled: isTrue(link.banned) ? 'false' : '',
})

/** An account of which nothing but the number is known. */
const numbered = (id: SqlValue) => `user ${id}`

interface Page {
  data?: Readonly<Record<string, unknown>>[]
  total?: unknown
}

/** Kutt: a dump of its database, whichever of MySQL, PostgreSQL and SQLite that is, and its API. */
export const kutt: Mover = {
  sql: {
    tables: (name) => Object.hasOwn(COLUMNS, name),
    columns: (table) => COLUMNS[table] ?? [],
    backslash: false,
    reader({ called }) {
      const domains = new Map<SqlValue, string>()
      const users = new Map<SqlValue, string>()
      // Those whose account is still to come: mysqldump and pg_dump write tables in the order of their names.
      const awaited = new Set<SqlValue>()
      return (table, values) => {
        const { id = null } = values
        if (table === 'domains') note(domains, id, values.address)
        else if (table === 'users') {
          if (awaited.has(id)) note(called, numbered(id), values.email)
          else note(users, id, values.email)
        }
        if (table !== 'links') return null
        const owner = values.user_id ?? null
        if (owner !== null && !users.has(owner) && awaited.size < MOST_KNOWN) awaited.add(owner)
        return {
          said: {
            ...saidOf(values),
            domain: values.domain_id === null ? '' : (domains.get(values.domain_id ?? null) ?? ''),
            passwordHash: values.password,
            owner: users.get(owner) ?? (owner === null ? '' : numbered(owner)),
          },
        }
      }
    },
  },
  live: live({
    key: 'key',
    begin: { own: 0, skip: 0, total: -1 },
    async page(ask, { own, skip, total: known }) {
      // An admin is shown everyone's links.
      const path = own ? 'api/v2/links' : 'api/v2/links/admin'
      // Refused later, it is no answer to who asks: the links that are left would be missing without a word.
      const isFirst = !(known >= 0)
      const how = { keyIn: 'X-API-KEY', isNothing: isFirst && !own ? [400, 401, 403, 404] : [] }
      const answer = await ask<Page | null>(`${path}?limit=${PAGE}&skip=${skip}`, how)
      if (answer === null) return { rows: [], total: null, next: { own: 1, skip: 0, total: -1 } }
      const data = listed(answer.data ?? [])
      const rows = data.map((link) => {
        // Even an admin is told only that there is one.
        const fault = link.password ? say('api.import.hiddenPassword') : undefined
        return rowOf(0, { ...saidOf(link), domain: link.domain, owner: link.email }, fault)
      })
      const total = countOf(answer.total)
      const next = placeAfter({ before: skip, total: known }, data.length, total)
      const isOver = next.before >= skip && data.length < PAGE
      return { rows, total, next: isOver ? null : { own, skip: next.before, total } }
    },
  }),
}
