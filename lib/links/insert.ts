import type { Transaction } from '@/lib/db/client'
import { type Link, Prisma } from '@/lib/db/generated/client'

const COLUMNS = Object.values(Prisma.LinkScalarFieldEnum)
const COLUMN_LIST = Prisma.raw(COLUMNS.map((column) => `\`${column}\``).join(', '))

/**
 * Inserts whole rows by one statement. In plain SQL, since planning a `createMany` of this width costs more
 * than MySQL needs to run it (docs/benchmarks.md).
 * @throws a unique violation when one of the codes is taken; then none is inserted
 */
export function insertLinks(client: Pick<Transaction, '$executeRaw'>, links: readonly Link[]): Prisma.PrismaPromise<number> {
  const rows = links.map((link) => Prisma.sql`(${Prisma.join(COLUMNS.map((column) => link[column]))})`)
  return client.$executeRaw`INSERT INTO Link (${COLUMN_LIST}) VALUES ${Prisma.join(rows)}`
}
