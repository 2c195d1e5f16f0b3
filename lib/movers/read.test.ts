import { describe, expect, it } from 'vitest'
import { inEnglish } from '@/lib/i18n/translate'
import { COLUMN_NAMES, columnOf } from '@/lib/links/properties'
import { guessColumns } from './columns'
import { MOVERS } from './kinds'
import type { Columns } from './mover'
import { readMoved } from './read'
import { LIVE_FROM, MOVED_FROM, type MovedFrom, ONE_PLACE } from './sources'

interface How {
  columns?: Columns
  site?: string
}

/** What is read of a file: each row by its properties, a fault in words. Columns that no link has yet are left out. */
async function read(from: MovedFrom, text: string, { columns, site }: How = {}) {
  async function* bytes() {
    for (let at = 0; at < text.length; at += 40) yield Buffer.from(text.slice(at, at + 40))
  }
  const rows: Record<string, unknown>[] = []
  const file = { mover: MOVERS[from], bytes: bytes(), ...(columns && { columns }), site: site ? new URL(site) : null }
  for await (const some of readMoved(file, { unknown: new Set(), called: new Map() })) {
    rows.push(...some.map(({ fault, ...row }) => ({ ...row, ...(fault && { fault: inEnglish(fault) }) })))
  }
  return rows
}

/** The same without what links are not made with (yet). */
const known = (rows: Record<string, unknown>[]) =>
  rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => [...COLUMN_NAMES, 'line', 'fault'].includes(name))))

it('pages know which systems are asked by their API', () => {
  expect(MOVED_FROM.filter((from) => MOVERS[from].live)).toEqual([...LIVE_FROM])
  expect(LIVE_FROM.filter((from) => MOVERS[from].live?.address)).toEqual(ONE_PLACE)
})

describe('YOURLS', () => {
  it('is read from a dump of mysqldump, with any prefix and rows by the hundred', async () => {
    const dump = `-- MySQL dump 10.13
DROP TABLE IF EXISTS \`my_yourls_url\`;
CREATE TABLE \`my_yourls_url\` (
  \`keyword\` varchar(100) NOT NULL DEFAULT '', \`url\` text NOT NULL, \`title\` text, \`timestamp\` timestamp NOT NULL,
  \`ip\` varchar(41) NOT NULL, \`clicks\` int(10) unsigned NOT NULL, PRIMARY KEY (\`keyword\`));
INSERT INTO \`my_yourls_url\` VALUES
('1','https://example.com/','It\\'s','2026-01-02 03:04:05','10.0.0.1',7),('ozh','https://example.com/?a=1&b=2',NULL,'0000-00-00 00:00:00','',0);
INSERT INTO \`my_yourls_log\` VALUES (1,'2026-01-02 03:04:05','1','direct','x','1.2.3.4','DE');
`
    const rows = await read('yourls', dump)
    expect(rows).toMatchObject([
      { line: 7, redirectStatus: '301', code: '1', url: 'https://example.com/', title: "It's" },
      { line: 7, redirectStatus: '301', code: 'ozh', url: 'https://example.com/?a=1&b=2' },
    ])
    expect(rows).toHaveLength(2)
  })

  it('is read from phpMyAdmin, whose CREATE TABLE may be left out, and whose names are quoted', async () => {
    const dump = `-- phpMyAdmin SQL Dump\nSET SQL_MODE = "NO_AUTO_VALUE_ON_ZERO";\n
INSERT INTO \`yourls_url\` (\`keyword\`, \`url\`, \`title\`, \`timestamp\`, \`ip\`, \`clicks\`) VALUES\n('a', 'https://example.com/a', 'A', '2026-01-02 03:04:05', '', 1),\n('b', 'https://example.com/b', 'B', '2026-01-02 03:04:05', '', 2, 3);`
    expect(await read('yourls', dump)).toMatchObject([
      { line: 5, code: 'a', url: 'https://example.com/a' },
      {
        line: 6,
        fault: 'This row of the table `yourls_url` can’t be read: it has more or fewer values than the table has columns.',
      },
    ])
  })

  it('is read from CSV: its table with and without a head, and the file of its plugin', async () => {
    const table = '"a","https://example.com/a","A","2026-01-02 03:04:05","10.0.0.1","5"\n'
    const expected = [{ code: 'a', url: 'https://example.com/a', title: 'A', redirectStatus: '301' }]
    expect(await read('yourls', table)).toMatchObject(expected)
    expect(await read('yourls', `keyword,url,title,timestamp,ip,clicks\n${table}`)).toMatchObject(expected)
    const plugin = 'source,target,hits\r\n/a/,https://example.com/a,5\r\n'
    expect(await read('yourls', plugin)).toMatchObject([{ code: 'a', url: 'https://example.com/a', redirectStatus: '301' }])
  })

  it('says what it cannot read', async () => {
    await expect(read('yourls', '-- MySQL dump\nCREATE TABLE `x` (`a` int);')).rejects.toThrow('There are no links in this dump')
    const open = "-- MySQL dump\nINSERT INTO `yourls_url` VALUES ('a"
    await expect(read('yourls', open)).rejects.toThrow('A quote is never closed (line 2)')
    await expect(read('sink', 'a,b\n')).rejects.toThrow('This isn’t a file of that kind')
  })
})

describe('Kutt', () => {
  const hash = '$2a$12$abcdefghijklmnopqrstuuBqzD6F4Vd1Lw8V2mAhyGqXo8J2p1bxu'
  const expected = [
    { code: 'plain', url: 'https://example.com/', title: 'About it', enabled: undefined, domain: undefined },
    { code: 'plain', domain: 'go.example.com', url: "https://example.com/it's", enabled: 'false', passwordHash: hash },
  ]
  const rest = (uuid: number) => `'uuid-${uuid}','2026-01-02 03:04:05','2026-01-02 03:04:05'`

  it('is read from a dump of MySQL', async () => {
    const dump = `-- MySQL dump 10.13
INSERT INTO \`domains\` VALUES (3,0,NULL,'go.example.com',NULL,1,${rest(1)});
INSERT INTO \`links\` VALUES (1,'plain','About it',0,NULL,NULL,NULL,NULL,'https://example.com/',1,12,${rest(2)}),(2,'plain',NULL,1,1,3,'${hash}','2030-01-01 00:00:00','https://example.com/it\\'s',1,0,${rest(3)});`
    const rows = await read('kutt', dump)
    expect(rows).toMatchObject(expected.map(({ ...row }) => JSON.parse(JSON.stringify(row))))
    expect(rows[1]).toMatchObject({ expiresAt: '2030-01-01 00:00:00' })
    expect(rows[0]).not.toHaveProperty('domain')
  })

  it('is read from a dump of PostgreSQL, by COPY', async () => {
    const columns = 'id, address, description, banned, domain_id, password, expire_in, target, user_id, visit_count, created_at'
    const dump = `-- PostgreSQL database dump
COPY public.domains (id, banned, address) FROM stdin;
3\tf\tgo.example.com
\\.
COPY public.links (${columns}) FROM stdin;
1\tplain\tAbout it\tf\t\\N\t\\N\t\\N\thttps://example.com/\t1\t12\t2026-01-02 03:04:05.6+00
2\tplain\t\\N\tt\t3\t${hash}\t2030-01-01 00:00:00+02\thttps://example.com/it's\t1\t0\t2026-01-02 03:04:05+00
\\.`
    const rows = await read('kutt', dump)
    expect(rows).toMatchObject(JSON.parse(JSON.stringify(expected)))
    expect(rows[1]).toMatchObject({ expiresAt: '2030-01-01 00:00:00+02:00' })
  })

  it('is read from a dump of SQLite, whose times may be numbers', async () => {
    const dump = `PRAGMA foreign_keys=OFF;
INSERT INTO domains VALUES(3,0,NULL,'go.example.com',NULL,1,${rest(1)});
INSERT INTO links VALUES(1,'plain','About it',0,NULL,NULL,NULL,NULL,'https://example.com/',1,12,${rest(2)});
INSERT INTO links VALUES(2,'plain',NULL,1,1,3,'${hash}',1893456000000,'https://example.com/it''s',1,0,${rest(3)});`
    const rows = await read('kutt', dump)
    expect(rows).toMatchObject(JSON.parse(JSON.stringify(expected)))
    expect(rows[1]).toMatchObject({ expiresAt: '2030-01-01T00:00:00.000Z' })
  })
})

it('Shlink is read from the CSV of its web client', async () => {
  const csv = `createdAt,domain,shortCode,shortUrl,longUrl,title,tags,visits
2026-01-02T03:04:05+01:00,s.test,a/b,https://s.test/a/b,https://example.com/,A,one|two,5
`
  expect(known(await read('shlink', csv))).toMatchObject([
    { line: 2, domain: 's.test', code: 'a/b', url: 'https://example.com/', title: 'A', tags: 'one, two' },
  ])
})

it('Dub is read from its CSV', async () => {
  const csv = `Short link,Destination URL,Clicks,Created at,Tags,Archived
https://dub.sh/Abc,https://example.com/,5,2026-01-02T03:04:05.000Z,"one, two",Yes
`
  expect(await read('dub', csv)).toMatchObject([
    { domain: 'dub.sh', code: 'Abc', url: 'https://example.com/', tags: 'one, two', archived: 'Yes' },
  ])
})

it('Bitly is read from its CSV: a link of its own before the one it was given', async () => {
  const csv = `Link,Custom Link,Destination URL,Title,Created\nbit.ly/3xYz,,https://example.com/1,One,2026-01-02
https://bit.ly/3xYy,https://go.example.com/two,https://example.com/2,,\n`
  expect(await read('bitly', csv)).toMatchObject([
    { domain: 'bit.ly', code: '3xYz', url: 'https://example.com/1', redirectStatus: '301', title: 'One' },
    { domain: 'go.example.com', code: 'two', url: 'https://example.com/2' },
  ])
})

it.each(MOVED_FROM)('%s names no column that is known by this name anyway', (from) => {
  const own = Object.entries(MOVERS[from].table?.columns ?? {})
  expect(own.filter(([name, target]) => columnOf(name) === target)).toEqual([])
})

it('a table without short links is refused for a shortener that always tells them: each link would get another code', async () => {
  const ofBitly = `Bitlink,Long URL\nhttps://bit.ly/3xYz,https://example.com/1\n`
  for (const from of ['shlink', 'dub', 'yourls'] as const) {
    await expect(read(from, ofBitly), from).rejects.toThrow('None of the columns has the short links')
  }
  await expect(read('bitly', 'Long URL\nhttps://example.com/1\n')).rejects.toThrow('None of the columns has the short links')
  expect(await read('other', 'Long URL\nhttps://example.com/1\n')).toMatchObject([{ url: 'https://example.com/1' }])
})

it('Sink is read from its JSON: phones, countries, seconds; a link with a password is refused', async () => {
  const links = [
    {
      ...{ id: 'x', slug: 'app', url: 'https://example.com/', comment: 'Ours', tags: ['one', 'two'] },
      ...{
        createdAt: 1767322800,
        updatedAt: 1767322800,
        expiration: 1893456000,
        apple: 'https://apple.example/',
        geo: { DE: 'https://de.example/' },
      },
    },
    { slug: 'closed', url: 'https://example.com/', password: 'sink-pwd:v1:10000:x:y:z' },
  ]
  const rows = await read(
    'sink',
    JSON.stringify({ version: '1.0', exportedAt: '', count: 2, links, list_complete: true }, null, 2),
  )
  expect(rows).toMatchObject([
    { code: 'app', tags: 'one, two', comment: 'Ours', expiresAt: '2030-01-01T00:00:00.000Z', redirectStatus: '301' },
    { code: 'closed', fault: expect.stringContaining('password') },
  ])
  expect(JSON.parse(String(rows[0]?.routing))).toEqual({
    rules: [
      { when: [{ of: 'os', in: ['iOS'] }], url: 'https://apple.example/' },
      { when: [{ of: 'country', in: ['DE'] }], url: 'https://de.example/' },
    ],
  })
})

it('any table is read by the names of its columns, or by what they are said to be', async () => {
  const csv = 'Go to,Link,Remark\nhttps://example.com/,https://old.example/a,Hello\n'
  await expect(read('other', csv)).rejects.toThrow('There’s no `url` column')
  const columns = { 'Go to': 'url', Remark: 'comment' } as const
  const expected = [{ line: 2, url: 'https://example.com/', domain: 'old.example', code: 'a', comment: 'Hello' }]
  expect(await read('other', csv, { columns })).toEqual(expected)
  const json = [{ 'Go to': 'https://example.com/', Link: 'https://old.example/a', Remark: 'Hello' }]
  expect(await read('other', JSON.stringify(json), { columns })).toEqual([{ ...expected[0], line: 1 }])
  expect(await read('other', csv, { columns: { ...columns, Link: '' } })).toEqual([
    { line: 2, url: 'https://example.com/', comment: 'Hello' },
  ])
})

it('of a table, its columns are told, what they are taken for, and what they say', async () => {
  const guess = async (text: string) =>
    (await guessColumns('other', Buffer.from(text))).map(({ name, property, examples }) => [name, property, ...examples])
  const csv = 'Go to;Slug;Title;Link\nhttps://example.com/;a;One;\nhttps://example.com/2;b;;x\n'
  expect(await guess(csv)).toEqual([
    ['Go to', null, 'https://example.com/', 'https://example.com/2'],
    ['Slug', 'code', 'a', 'b'],
    ['Title', 'title', 'One'],
    ['Link', 'shortUrl', 'x'],
  ])
  expect(await guess('[{"target": "https://example.com/", "n": 1}, {"target": "https://exam')).toEqual([
    ['target', 'url', 'https://example.com/'],
    ['n', null, '1'],
  ])
  await expect(guess('')).rejects.toThrow('isn’t a file of that kind')
})

it('a sitemap is read: its pages, and nothing that is no page', async () => {
  const xml = `<?xml version="1.0"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
  <url><loc>https://example.com/?a=1&amp;b=2</loc><image:image><image:loc>https://example.com/x.png</image:loc></image:image></url>
  <url><loc> https://example.com/two </loc></url>
</urlset>`
  expect(await read('sitemap', xml)).toMatchObject([
    { line: 3, url: 'https://example.com/?a=1&b=2' },
    { line: 4, url: 'https://example.com/two' },
  ])
  await expect(read('sitemap', '<sitemapindex><sitemap><loc>x</loc></sitemap></sitemapindex>')).rejects.toThrow(
    'index of sitemaps',
  )
  await expect(read('sitemap', '<html></html>')).rejects.toThrow('isn’t a sitemap')
  // Time grew with the square of their number: this took minutes.
  await expect(read('sitemap', `<urlset>${'<url>'.repeat(1_000_000)}`)).rejects.toThrow('isn’t a sitemap')
})

describe('rules of servers become links where they are for one address:', () => {
  const short = (rows: Record<string, unknown>[]) =>
    rows.map(({ line, code, url, redirectStatus, fault }) => [line, fault ?? `${code} ${redirectStatus} ${url}`])
  const no = (why: string) => expect.stringContaining(why)

  it('of Apache', async () => {
    const text = `# a comment
<VirtualHost *:80>
  Redirect permanent /old https://example.com/new
  Redirect /temp "https://example.com/with space"
  redirect 410 /gone
  RedirectTemp /t https://example.com/t
  RedirectMatch 301 ^/one\\.html$ https://example.com/1
  RedirectMatch 301 ^/all/(.*)$ https://example.com/$1
  RewriteEngine On
  RewriteRule ^plain/?$ https://example.com/plain [R=301,L]
  RewriteRule ^inside$ /index.php [L]
  RewriteCond %{HTTP_HOST} ^www
  RewriteRule ^conditional$ https://example.com/c [R=301,L]
  RewriteRule ^(\\d+)$ https://example.com/$1 [R=302,L]
  Redirect \\
    308 /long https://example.com/long
  Redirect 302 /relative /elsewhere
`
    expect(short(await read('apache', text))).toEqual([
      [3, 'old 301 https://example.com/new'],
      [4, 'temp 302 https://example.com/with space'],
      [5, no('it doesn’t redirect')],
      [6, 't 302 https://example.com/t'],
      [7, 'one.html 301 https://example.com/1'],
      [8, no('more than one path')],
      [10, 'plain 301 https://example.com/plain'],
      [13, no('some visitors')],
      [14, no('more than one path')],
      [15, 'long 308 https://example.com/long'],
      [17, no('destination is a path')],
    ])
    const sections = `<Location "/within">
  Redirect 301 https://example.com/within
</Location>
<Location /other>
  Redirect https://example.com/other
</Location>
Redirect 302 /after https://example.com/after`
    expect(short(await read('apache', sections))).toEqual([
      [2, 'within 301 https://example.com/within'],
      [5, 'other 302 https://example.com/other'],
      [7, 'after 302 https://example.com/after'],
    ])
    expect(short(await read('apache', 'Redirect 302 /relative /elsewhere', { site: 'https://example.com' }))).toEqual([
      [1, 'relative 302 https://example.com/elsewhere'],
    ])
  })

  it('of nginx', async () => {
    const text = `map $uri $new { # comment
  default "";
  /a https://example.com/a;
  "/b c" 'https://example.com/b';
  ~^/x/(\\d+)$ https://example.com/$1;
}
server {
  listen 80; server_name go.example.com;
  rewrite ^/one/?$ https://example.com/1? permanent;
  rewrite ^/two/(\\w{2,3})$ https://example.com/$1 redirect;
  location = /three { return 302 https://example.com/3; }
  location /four { return 301 https://example.com/4; }
  location ~ ^/five$ {
    return 307 https://example.com/5;
  }
  location / { return 301 https://example.com$request_uri; }
  location /six { proxy_pass http://127.0.0.1; }
  if ($request_uri = "/seven") { return 301 https://example.com/7; }
  location = /eight { return 404; }
}
`
    expect(short(await read('nginx', text))).toEqual([
      [3, 'a 301 https://example.com/a'],
      [4, 'b c 301 https://example.com/b'],
      [5, no('more than one path')],
      [9, 'one 301 https://example.com/1'],
      [10, no('more than one path')],
      [11, 'three 302 https://example.com/3'],
      [12, 'four 301 https://example.com/4'],
      [14, 'five 307 https://example.com/5'],
      [16, no('home page')],
      [18, no('some visitors')],
    ])
  })

  it('of files named _redirects, for Netlify and for Cloudflare', async () => {
    const text = `# comment
/old https://example.com/new
/temp   https://example.com/t  302 # why
/forced https://example.com/f 301!
/blog/* https://example.com/:splat
/page/:id https://example.com/:id
/by id=:id https://example.com/ 301
/de https://example.com/de 302 Country=de
/app /index.html 200
https://old.example.com/x https://example.com/x 308
/ https://example.com/home
/lonely
`
    const rows = await read('netlify', text)
    expect(short(rows)).toEqual([
      [2, 'old 301 https://example.com/new'],
      [3, 'temp 302 https://example.com/t'],
      [4, 'forced 301 https://example.com/f'],
      [5, no('more than one path')],
      [6, no('more than one path')],
      [7, no('some visitors')],
      [8, no('some visitors')],
      [9, no('it doesn’t redirect')],
      [10, 'x 308 https://example.com/x'],
      [11, no('home page')],
      [12, no('can’t be read')],
    ])
    expect(rows[8]).toMatchObject({ domain: 'old.example.com' })
    expect(short(await read('cloudflare', text))[0]).toEqual([2, 'old 302 https://example.com/new'])
  })
})
