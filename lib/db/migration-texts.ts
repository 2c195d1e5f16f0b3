import { migrationNames, readMigration } from './migrate'

const CREATED = /^CREATE TABLE (?:IF NOT EXISTS )?`(\w+)` \(\n(.*?)^\)/gms
const ALTERED = /\bALTER TABLE `(\w+)`([^;]*)/g

/**
 * The tables that these migrations make, as their texts say, with the columns that they have at some time.
 * @throws Error when one is unknown, or alters a table that none of the others makes
 */
export function tablesMadeBy(names: readonly string[], folder?: string): Map<string, Set<string>> {
  const tables = new Map<string, Set<string>>()
  const wanted = new Set(names)
  for (const name of migrationNames(folder).filter((known) => wanted.delete(known))) {
    const { sql } = readMigration(name, folder)
    for (const [, table = '', lines = ''] of sql.matchAll(CREATED)) {
      add(tables, table, lines.matchAll(/^\s+`(\w+)` /gm))
    }
    for (const [, table = '', changes = ''] of sql.matchAll(ALTERED)) {
      if (!tables.has(table)) throw new Error(`the migration ${name} needs the table ${table}, which none before it makes`)
      add(tables, table, changes.matchAll(/\bADD COLUMN (?:IF NOT EXISTS )?`(\w+)`/g))
    }
  }
  for (const name of wanted) throw new Error(`there is no migration ${name}`)
  return tables
}

function add(tables: Map<string, Set<string>>, table: string, columns: Iterable<RegExpExecArray>): void {
  const known = tables.get(table) ?? new Set()
  tables.set(table, known)
  for (const [, column = ''] of columns) known.add(column)
}
