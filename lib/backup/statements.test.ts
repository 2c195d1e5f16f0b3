import { describe, expect, it } from 'vitest'
import type { Part } from './file'
import { statements } from './statements'

const TABLES = new Map([
  ['Link', new Set(['id', 'title'])],
  ['Domain', new Set(['id'])],
])

async function* partsOf(text: string): AsyncGenerator<Part> {
  for (const line of text.split('\n')) yield line.startsWith('-- clicks ') ? { clicks: line.slice(10) } : { sql: line }
}

async function read(text: string): Promise<Part[]> {
  const all: Part[] = []
  for await (const part of statements(partsOf(text), TABLES)) all.push(part)
  return all
}

const ONE = "INSERT INTO `Link` (`id`, `title`) VALUES (1,'a); INSERT INTO `x` (');"
const ID = '0123456789abcdef'.repeat(2)
const BATCH = `${ID} [["1",2]]`
/** As mariadb-dump writes it since 11. */
const LINES = 'INSERT INTO `Domain` (`id`) VALUES (1),\n(2),\n(3);'

describe('of a dump', () => {
  it('the INSERTs are taken, on one line or on one for each row, and nothing else', async () => {
    const text = [
      '/*M!999999\\- enable the sandbox mode */',
      "/*!40101 SET SQL_MODE='NO_BACKSLASH_ESCAPES' */;",
      'SET @OLD_AUTOCOMMIT=@@AUTOCOMMIT, @@AUTOCOMMIT=0;',
      ONE,
      '/*M!100616 SET @OLD_NOTE_VERBOSITY=@@NOTE_VERBOSITY, NOTE_VERBOSITY=0 */;',
      '/*!40000 ALTER TABLE `Link` DISABLE KEYS */;',
      // As Percona's mysqldump writes them.
      '/*!50717 SELECT COUNT(*) INTO @rocksdb_has FROM INFORMATION_SCHEMA.TABLES */;',
      '/*!50717 PREPARE s FROM @rocksdb_get_is_supported */;',
      '/*!50717 DEALLOCATE PREPARE s */;',
      'COMMIT;',
      '-- words',
      '',
      LINES,
      "SET @@GLOBAL.GTID_PURGED='x';",
      '',
    ].join('\n')
    expect(await read(text)).toEqual([{ sql: ONE }, { sql: LINES }])
  })

  it.each([
    'INSERT INTO `Link` (`id`) VALUES (1); DROP TABLE other.payroll;',
    'INSERT INTO `Link` (`id`) SELECT password FROM other.users;',
    'INSERT INTO `Link` (`id`) VALUES ((SELECT 1));',
  ])('an INSERT of more than values is refused: %s', async (sql) => {
    await expect(read(sql)).rejects.toThrow('more than insert values')
  })

  it.each([
    'insert into `Link` (`id`) VALUES (1);',
    ' INSERT INTO `Link` (`id`) VALUES (1);',
    'INSERT INTO `terse`.`Link` (`id`) VALUES (1);',
    'REPLACE INTO `Link` (`id`) VALUES (1);',
    '/*!50000 INSERT INTO `Link` (`id`) VALUES (1) */;',
    'SET x = 1; INSERT INTO `Link` (`id`) VALUES (1);',
    'DROP TABLE `Link`;',
    'DELIMITER //',
  ])('a line that may hold rows, and is not read as such, is refused: %s', async (sql) => {
    await expect(read(sql)).rejects.toThrow('a line that is not known')
  })

  it('a column that there is none of is refused, and so are rows with more or fewer values than columns', async () => {
    await expect(read('INSERT INTO `Link` (`id`,`nope`) VALUES (1,2);')).rejects.toThrow('do not make: Link.nope')
    await expect(read('INSERT INTO `Link` (`id`, `title`) VALUES (1);')).rejects.toThrow('one for each column')
    await expect(read('INSERT INTO `Link` (`id`) VALUES (1),(1,2);')).rejects.toThrow('one for each column')
  })

  it('clicks that are none, are far too long, or come behind rows are refused', async () => {
    for (const line of ['../../etc/passwd []', `${BATCH} x`, `${ID} [${'x'.repeat(40_000_000)}]`])
      await expect(read(`-- clicks ${line}`)).rejects.toThrow('clicks that are none')
    await expect(read(`${ONE}\n-- clicks ${BATCH}`)).rejects.toThrow('clicks that are none')
  })

  it('a statement that never ends is refused', async () => {
    const long = 'x'.repeat(1_000_000)
    async function* endless(): AsyncGenerator<Part> {
      yield { sql: 'INSERT INTO `Link` (`id`) VALUES' }
      for (;;) yield { sql: long }
    }
    await expect(statements(endless(), TABLES).next()).rejects.toThrow('too long')
  })

  it('clicks that wait come as they are', async () => {
    expect(await read(`-- clicks ${BATCH}\n${ONE}`)).toEqual([{ clicks: BATCH }, { sql: ONE }])
  })

  it('a table that there is none of is refused, and so is half a statement', async () => {
    await expect(read('INSERT INTO `Other` (`id`) VALUES (1);')).rejects.toThrow('do not make: Other')
    await expect(read(LINES.slice(0, -5))).rejects.toThrow('in the middle of a statement')
  })
})
