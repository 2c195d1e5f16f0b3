import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OpenQuoteError } from './sql-lexer'
import { readSql, type SqlRow } from './sql-rows'

async function* inPieces(text: string, size = 64 * 1024): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}

async function rowsIn(text: string, { backslash = false, size = 64 * 1024, columns = [] as string[] } = {}): Promise<SqlRow[]> {
  const rows: SqlRow[] = []
  const options = { tables: (name: string) => name === 'links', backslash, columns: () => columns }
  for await (const some of readSql(inPieces(text, size), options)) rows.push(...some)
  return rows
}

const valuesIn = async (text: string, how = {}) => (await rowsIn(text, how)).map(({ values }) => Object.values(values))

describe('a dump is read', () => {
  it('of MySQL: rows by the columns of CREATE TABLE, escapes, comments, character sets, hexadecimal', async () => {
    const dump = `-- MariaDB dump 10.19  Distrib 10.11
/*!40101 SET NAMES utf8mb4 */;
DROP TABLE IF EXISTS \`links\`;
CREATE TABLE \`links\` (
  \`id\` int(10) unsigned NOT NULL AUTO_INCREMENT,
  \`target\` varchar(2040) NOT NULL DEFAULT 'a, (b)',
  \`note\` text CHARACTER SET utf8mb4,
  PRIMARY KEY (\`id\`,\`target\`(30)),
  UNIQUE KEY \`x\` (\`target\`),
  CONSTRAINT \`c\` FOREIGN KEY (\`id\`) REFERENCES \`users\` (\`id\`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4;
INSERT INTO \`others\` VALUES (1,'it''s; INSERT INTO links VALUES (9)');
INSERT INTO \`links\` VALUES (1,'it\\'s "so"\\n\\\\',NULL),(-2,'a''b',_utf8mb4'c'),(3,0x61C3A4,X'62');
INSERT INTO \`links\` (\`note\`, \`id\`) VALUES ('only', 4) ON DUPLICATE KEY UPDATE id = 5;
`
    const rows = await rowsIn(dump)
    expect(rows.map(({ values }) => values)).toEqual([
      { id: '1', target: 'it\'s "so"\n\\', note: null },
      { id: '-2', target: "a'b", note: 'c' },
      { id: '3', target: 'aä', note: 'b' },
      { note: 'only', id: '4' },
    ])
    expect(rows.map(({ line, fault }) => [line, fault])).toEqual([
      [13, null],
      [13, null],
      [13, null],
      [14, null],
    ])
  })

  it('of PostgreSQL: COPY, INSERT with schemas and casts, texts with and without escapes, bodies of functions', async () => {
    const dump = `-- PostgreSQL database dump
CREATE FUNCTION public.f() RETURNS text LANGUAGE sql AS $_$ select 'it''s' -- don't; $_$;
CREATE TABLE public.links (
    id integer NOT NULL,
    target character varying(2040) NOT NULL,
    made timestamp with time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);
COPY public.users (id, email) FROM stdin;
1	links
\\.
COPY public.links (id, target, made) FROM stdin;
1	a\\tb\\\\c\\nd	\\N
2	INSERT INTO links VALUES (1);	2026-01-02 03:04:05.678+00
\\.
INSERT INTO public.links VALUES (3, 'back\\slash', '2026-01-01'::timestamp with time zone), (4, E'tab\\tx', NULL);
INSERT INTO "public"."links" ("id", "target") OVERRIDING SYSTEM VALUE VALUES (5, 'it''s');
`
    expect(await valuesIn(dump)).toEqual([
      ['1', 'a\tb\\c\nd', null],
      ['2', 'INSERT INTO links VALUES (1);', '2026-01-02 03:04:05.678+00'],
      ['3', 'back\\slash', '2026-01-01'],
      ['4', 'tab\tx', null],
      ['5', "it's"],
    ])
  })

  it('of SQLite: quoted names, line breaks as functions', async () => {
    const dump = `PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE IF NOT EXISTS \`links\` (\`id\` integer not null primary key autoincrement, \`target\` varchar(2040) not null default 'x');
INSERT INTO links VALUES(1,'back\\slash');
INSERT INTO links VALUES(2,replace('a\\nb','\\n',char(10)));
INSERT INTO links VALUES(3,unistr('c\\u000ad'));
INSERT INTO links VALUES(4,'a'||char(10)||'b');
COMMIT;
`
    expect(await valuesIn(dump)).toEqual([
      ['1', 'back\\slash'],
      ['2', 'a\nb'],
      ['3', 'c\nd'],
      ['4', 'a\nb'],
    ])
  })

  it('so that no value is longer than what is written for it, however functions are nested', async () => {
    const bomb = `replace(replace('${'a'.repeat(1_000)}','a','${'b'.repeat(1_000)}'),'b','${'c'.repeat(500)}')`
    const rows = await valuesIn(`INSERT INTO links VALUES (1,${bomb}),(2,replace('aXb','X','$&'));`, {
      columns: ['id', 'target'],
    })
    expect(rows).toEqual([
      ['1', null],
      ['2', null],
    ])
    const signs = `INSERT INTO links VALUES (replace('aXb','X','$'),char(-5,1.5,'x',1114112,65)||unistr('\\+FFFFFF'));`
    expect(await valuesIn(signs, { columns: ['id', 'target'] })).toEqual([['a$b', '\ufffd\ufffd\ufffd\ufffdA\ufffd']])
  })

  it('with what is wrong with a row, and what follows it', async () => {
    const columns = ['id', 'target']
    const dump = `INSERT INTO links VALUES (1,'a'),(2),(3,'c','d');\nINSERT INTO links VALUES (4,'d' ; INSERT INTO links VALUES (5,'e')`
    const rows = await rowsIn(dump, { columns })
    expect(rows.map(({ line, fault }) => [line, fault])).toEqual([
      [1, null],
      [1, 'cells'],
      [1, 'cells'],
      [2, 'statement'],
      [2, null],
    ])
    const long = `INSERT INTO links VALUES (1,'${'x'.repeat(200_000)}'),(2,'b');`
    expect((await rowsIn(long, { columns })).map(({ fault }) => fault)).toEqual(['text', null])
    const wide = `INSERT INTO links VALUES (1,'a'${",'b'".repeat(10_000)}),(1,${"'c',".repeat(99)}${`'${'x'.repeat(90_000)}',`.repeat(20)}'d'),(2,'b');`
    expect((await rowsIn(wide, { columns })).map(({ fault }) => fault)).toEqual(['cells', 'text', null])
    const data = `COPY links (id, target) FROM stdin;\n1\ta\n${'x'.repeat(9_000_000)}\n2\tb\n\\.\n`
    const copied = (await rowsIn(data)).map(({ line, fault }) => [line, fault])
    expect(copied).toEqual([
      [2, null],
      [3, 'text'],
      [4, null],
    ])
    const open = `INSERT INTO links VALUES (1,'a');\nINSERT INTO links VALUES (2,'b);\n\n`
    await expect(rowsIn(open, { columns })).rejects.toEqual(new OpenQuoteError(2))
    await expect(rowsIn(open + 'x'.repeat(5_000_000), { columns })).rejects.toEqual(new OpenQuoteError(2))
  })
})

const cell = fc.option(fc.string({ unit: 'binary', maxLength: 30 }).map((text) => text.replaceAll('\0', '')))
const rows = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 20 })
const size = fc.integer({ min: 1, max: 50 })

describe('any texts come back as they were, wherever a piece of the file ends:', () => {
  const mysql = (text: string | null) =>
    text === null
      ? 'NULL'
      : `'${text
          .replace(/[\\'"]/g, '\\$&')
          .replaceAll('\n', '\\n')
          .replaceAll('\x1a', '\\Z')}'`
  const standard = (text: string | null) => (text === null ? 'NULL' : `'${text.replaceAll("'", "''")}'`)
  const copied = (text: string | null) =>
    text === null ? '\\N' : text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n').replaceAll('\r', '\\r')

  const check = (write: (rows: readonly (readonly (string | null)[])[]) => string, backslash: boolean) =>
    fc.assert(
      fc.asyncProperty(rows, size, async (rows, size) => {
        expect(await valuesIn(write(rows), { size, backslash, columns: ['a', 'b'] })).toEqual(rows)
      }),
    )

  it('of INSERT with backslashes', () =>
    check((rows) => `INSERT INTO \`links\` VALUES ${rows.map((row) => `(${row.map(mysql)})`)};`, true))
  it('of INSERT without', () =>
    check((rows) => `INSERT INTO links VALUES ${rows.map((row) => `(${row.map(standard)})`)};`, false))
  it('of COPY', () =>
    check(
      (rows) => `COPY links (a, b) FROM stdin;\n${rows.map((row) => `${row.map(copied).join('\t')}\n`).join('')}\\.\n`,
      false,
    ))

  it('whatever a file holds is read to its end, or a quote in it is open', async () => {
    const part = fc.constantFrom(
      ...["'", '"', '`', '\\', '(', ')', ',', ';', '\n', '--', '/*', '*/', '#', '$$', '$a$', 'E', ' ', '\\.', '\t'],
      ...['INSERT INTO links VALUES ', 'COPY links FROM stdin;', 'CREATE TABLE links (', 'x', '1', 'NULL', '::', '|'],
    )
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 60 }), size, async (parts, size) => {
        const whole = await rowsIn(parts.join('')).catch((error: unknown) => error)
        const pieces = await rowsIn(parts.join(''), { size }).catch((error: unknown) => error)
        if (whole instanceof Error) expect(whole).toBeInstanceOf(OpenQuoteError)
        expect(pieces).toEqual(whole)
      }),
      { numRuns: 500 },
    )
  })
})
