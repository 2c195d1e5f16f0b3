import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { migrationNames } from './migrate'

/** The release whose processes run beside this version's while a deployment is updated (docs/decisions/0037-upgrades.md). */
const PREVIOUS = JSON.parse(readFileSync('prisma/previous-release.json', 'utf8')) as { source: string; migration: string }

/** Statements that code which does not know of them never notices. */
const ADDITIVE = /^(CREATE TABLE|CREATE INDEX|INSERT INTO|UPDATE|SET|PREPARE|EXECUTE|DEALLOCATE|DO) /
/** The same of the clauses of ALTER TABLE: a column that nobody has to fill, and an index that refuses nothing. */
const ADDITIVE_CLAUSE = /^ADD (COLUMN `?\w+`? (?!.*NOT NULL(?!.*DEFAULT))|INDEX )/

/** The statements of a migration, those that it prepares included; each on one line, in the letters of its words. */
function statementsOf(sql: string): string[] {
  const bare = sql.replace(/^\s*--.*$/gm, '')
  const prepared = [...bare.matchAll(/'((?:ALTER|CREATE|DROP|RENAME|DELETE|TRUNCATE)\b(?:[^']|'')*)'/g)].map(
    ([, text = '']) => text,
  )
  return [...bare.split(';'), ...prepared].map((text) => text.replace(/\s+/g, ' ').trim()).filter((text) => text !== '')
}

/** Tables and columns that a migration says the previous release does not use: it may take these away. */
const unusedIn = (sql: string) =>
  [...sql.matchAll(/^-- Not used by the previous release: (.+)$/gm)].flatMap(([, list = '']) =>
    list.split(',').map((at) => at.trim()),
  )

/** Columns that a migration says the previous release gives no value twice: an index may refuse that. */
const differentIn = (sql: string) =>
  [...sql.matchAll(/^-- Never twice in the previous release: (.+)$/gm)].flatMap(([, list = '']) =>
    list.split(',').map((at) => at.trim()),
  )

function offencesOf(sql: string): string[] {
  const [unused, different] = [unusedIn(sql), differentIn(sql)]
  const ofNew = [...sql.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?`(\w+)`/g)].map(([, table = '']) => table)
  return statementsOf(sql).filter((statement) => {
    const [, kind, table = '', rest = ''] =
      /^(ALTER TABLE|DROP TABLE|TRUNCATE TABLE|DELETE FROM) (?:IF EXISTS )?`?(\w+)`? ?(.*)$/.exec(statement) ?? []
    if (ofNew.includes(table) || unused.includes(table)) return false
    const [, on, column] = /^CREATE UNIQUE INDEX `\w+` ON `(\w+)` \(`(\w+)`\)$/.exec(statement) ?? []
    if (different.includes(`${on}.${column}`)) return false
    if (kind !== 'ALTER TABLE') return !ADDITIVE.test(statement)
    return !clausesOf(rest).every((clause) => {
      const [, dropped] = /^DROP (?:COLUMN|INDEX) `?(\w+)`?$/.exec(clause) ?? []
      return ADDITIVE_CLAUSE.test(clause) || (dropped !== undefined && unused.includes(`${table}.${dropped}`))
    })
  })
}

/** Between commas that are in no parentheses. */
const clausesOf = (text: string) => text.split(/,(?![^(]*\))/).map((clause) => clause.trim())

it('a migration since the previous release takes nothing away that the previous release uses', () => {
  const names = migrationNames()
  expect(names).toContain(PREVIOUS.migration)
  const newer = names.filter((name) => name > PREVIOUS.migration)
  const wrong = newer.flatMap((name) =>
    offencesOf(readFileSync(`prisma/migrations/${name}/migration.sql`, 'utf8')).map((statement) => `${name}: ${statement}`),
  )
  expect(wrong, 'additive first, destructive one release later: see CONTRIBUTING.md').toEqual([])
})

it.each([
  'CREATE TABLE `New` (`id` INT NOT NULL, PRIMARY KEY (`id`));',
  'ALTER TABLE `Link` ADD COLUMN `note` VARCHAR(9) NULL;',
  "ALTER TABLE `Link` ADD COLUMN `note` VARCHAR(9) NOT NULL DEFAULT '', ADD INDEX `x`(`note`, `id`);",
  "SET @step = IF(1 = 0, 'ALTER TABLE `Link` ADD INDEX `x`(`a`, `b`), ADD INDEX `y`(`a`)', 'DO 0');\nPREPARE step FROM @step;",
  'CREATE TABLE `New` (`id` INT);\nALTER TABLE `New` DROP COLUMN `id`;\nDELETE FROM `New`;',
  '-- Not used by the previous release: Link.old, Gone\nALTER TABLE `Link` DROP COLUMN `old`;\nDROP TABLE `Gone`;',
  'INSERT INTO `New` SELECT * FROM `Old`;\nUPDATE `Link` SET `note` = NULL;',
])('is told from what takes away: %s', (sql) => {
  expect(offencesOf(sql)).toEqual([])
})

it.each([
  'DROP TABLE `Link`;',
  'ALTER TABLE `Link` DROP COLUMN `url`;',
  'ALTER TABLE `Link` ADD COLUMN `a` INT NULL, DROP COLUMN `url`;',
  'ALTER TABLE `Link` ADD COLUMN `a` INT NOT NULL;',
  'ALTER TABLE `Link` ADD UNIQUE INDEX `x`(`a`);',
  'ALTER TABLE `Link` RENAME COLUMN `a` TO `b`;',
  'ALTER TABLE `Link` MODIFY COLUMN `url` VARCHAR(10) NOT NULL;',
  'RENAME TABLE `Link` TO `Links`;',
  'TRUNCATE TABLE `Link`;',
  'DELETE FROM `Link`;',
  "SET @step = IF(1 = 0, 'ALTER TABLE `Link` DROP COLUMN `url`', 'DO 0');",
  '-- Not used by the previous release: Link.old\nALTER TABLE `Link` DROP COLUMN `url`;',
])('is found to take away: %s', (sql) => {
  expect(offencesOf(sql)).toHaveLength(1)
})
