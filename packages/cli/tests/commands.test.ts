import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JobView as Job } from '@/lib/jobs/schemas'
import type { LinkView } from '@/lib/links/schemas'
import { readCode } from '@/lib/testing/qr'
import { freePort } from '@/scripts/lib/loopback.mjs'
import type { Browser } from '@/tests/browser'
import { App, destination, eventually, ownServers, ROOT, type Servers } from '@/tests/harness'
import { accountWithKey, Cli } from './installed.js'

let servers: Servers
let app: App
let cli: Cli
let browser: Browser
let key: string
let readKey: string
let url: string

beforeAll(async () => {
  servers = await ownServers()
  app = await App.start({ DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl })
  url = `http://localhost:${app.port}`
  ;({ browser, key, readKey } = await accountWithKey(app))
  cli = Cli.install({ TERSE_URL: url, TERSE_KEY: key })
})

afterAll(async () => {
  cli?.remove()
  await app?.stop()
  await servers?.stop()
})

const links = async (query = '') =>
  (JSON.parse((await browser.ask('GET', `/api/v1/links?${query}`)).body) as { links: LinkView[] }).links

test('the package is one folder without dependencies, with its licences, types and schema', () => {
  const folder = join(cli.folder, 'node_modules/terse')
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  expect(manifest).toMatchObject({ name: 'terse', license: 'MIT', engines: { node: '>=20.19' } })
  expect(manifest.dependencies).toBeUndefined()
  for (const file of ['LICENSE', 'README.md', 'dist/LICENSES.txt', 'dist/types/index.d.ts', 'dist/links.schema.json']) {
    expect(existsSync(join(folder, file)), file).toBe(true)
  }
  expect(existsSync(join(folder, 'dist/.terse-stamp'))).toBe(false)
  const licences = readFileSync(join(folder, 'dist/LICENSES.txt'), 'utf8')
  for (const name of ['commander', '@modelcontextprotocol/sdk', 'ajv', 'yaml', 'openapi-fetch', 'zod']) {
    expect(licences).toContain(`${name} `)
  }
})

describe('shorten', () => {
  test('creates a link with what it is told, prints its address, and the link leads there', async () => {
    const made = await cli.run(
      [
        'shorten',
        'https://example.com/sale',
        '-c',
        'sale',
        '--title',
        'Sale',
        '--tag',
        'spring',
        '--tag',
        'shop',
        '--expires',
        '30d',
      ].concat('--max-clicks', '100', '--status', '301'),
    )
    expect(made).toEqual({ code: 0, stdout: `${url}/sale\n`, stderr: '' })
    expect(await app.get('/sale')).toMatchObject({ status: 301, headers: { location: 'https://example.com/sale' } })
    const [link] = await links('q=sale')
    expect(link).toMatchObject({ title: 'Sale', tags: ['shop', 'spring'], maxClicks: 100, redirectStatus: 301 })
    const days = (Date.parse(link?.expiresAt ?? '') - Date.now()) / 86_400_000
    expect(Math.round(days)).toBe(30)
  })

  test('reads URLs from a pipe, answers in their order, and goes on after one that is refused', async () => {
    const urls = Array.from({ length: 12 }, destination)
    const input = [...urls.slice(0, 6), 'ftp://example.com/', '', ...urls.slice(6)].join('\n')
    const made = await cli.run(['shorten', '--json'], { input })
    expect(made.code).toBe(6)
    expect(made.stderr).toMatch(/^terse: ftp:\/\/example\.com\/: url: Use a URL that begins with http/)
    expect(
      made.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line).url),
    ).toEqual(urls)
    const whole = await cli.shell('printf "https://example.com/x\\nhttps://example.com/y" | terse shorten | wc -l')
    expect(whole.stdout.trim()).toBe('2')
  })

  test('works without an account', async () => {
    const [link] = await cli.json<{ manageToken: string }>(['shorten', destination()], { env: { TERSE_KEY: '' } })
    expect(link?.manageToken).toMatch(/^[\w-]{43}$/)
  })
})

describe('ls, edit, rm and restore', () => {
  test('list and change links', async () => {
    const [first] = await cli.json<LinkView>(['shorten', destination(), '-c', 'listed', '--folder', 'Here'])
    const listed = await cli.run(['ls', '--folder', 'Here'])
    expect(listed.stdout).toBe(`${url}/listed\t0\tactive\t${first?.url}\t\n`)
    const target = destination()
    const [edited] = await cli.json<LinkView>([
      'edit',
      `${url}/listed`,
      '--url',
      target,
      '--folder',
      '',
      '--title',
      'New',
      '--off',
    ])
    expect(edited).toMatchObject({ url: target, folder: null, title: 'New', state: 'disabled' })
    expect((await cli.run(['edit', 'listed', '--on', '--set', 'listed=true'])).code).toBe(0)
    expect((await links('q=listed'))[0]).toMatchObject({ state: 'active', listed: true })
  })

  test('delete links and bring them back', async () => {
    for (const code of ['one', 'other']) await browser.ask('POST', '/api/v1/links', { url: destination(), code })
    const removed = await cli.run(['rm', 'one', 'no-such-link', 'other'])
    expect(removed).toMatchObject({
      code: 4,
      stdout: '',
      stderr: 'terse: no-such-link: There’s no such link, or it isn’t yours.\n',
    })
    expect((await cli.json<LinkView>(['ls', '--state', 'deleted'])).map(({ code }) => code).sort()).toEqual(['one', 'other'])
    expect((await app.get('/other')).status).toBe(410)
    expect(await cli.run(['restore', 'one', 'localhost:1/other'])).toMatchObject({ code: 0 })
    expect((await app.get('/other')).status).toBe(302)
  })

  test('ls goes through all pages, in JSON and as lines', async () => {
    const input = Array.from({ length: 120 }, destination).join('\n')
    expect((await cli.run(['shorten', '--tag', 'many'], { input })).code).toBe(0)
    expect(await cli.json(['ls', '--tag', 'many', '--all'])).toHaveLength(120)
    expect((await cli.run(['ls', '--tag', 'many', '-n', '110'])).stdout.trim().split('\n')).toHaveLength(110)
  })
})

test('stats tells what was clicked, of a link and of all', async () => {
  await browser.ask('POST', '/api/v1/links', { url: destination(), code: 'counted' })
  for (let i = 0; i < 3; i++) await app.get('/counted', { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' })
  const stats = () => cli.json<{ totals: { clicks: number } }>(['stats', 'counted'])
  await eventually(stats, ([found]) => found?.totals.clicks === 3)
  expect((await cli.run(['stats', 'counted'])).stdout).toMatch(/^3 clicks, 1 visitors? \(/)
  expect((await cli.run(['stats'])).stdout).toContain(`3  ${url}/counted`)
  expect((await cli.run(['stats', 'counted', '--from', 'soon'])).code).toBe(2)
})

test('qr draws a code in the terminal that a reader reads, and saves the server’s', async () => {
  await browser.ask('POST', '/api/v1/links', { url: destination(), code: 'drawn' })
  const { stdout } = await cli.run(['qr', 'drawn'])
  const lines = stdout.trimEnd().split('\n')
  expect(lines.at(-1)).toBe(`${url}/drawn`)
  expect(await readDrawn(lines.slice(0, -1))).toBe(`${url}/drawn`)
  for (const [name, begin] of [
    ['a.svg', '<svg'],
    ['a.png', '\u0089PNG'],
    ['a.pdf', '%PDF'],
  ] as const) {
    expect(await cli.run(['qr', 'drawn', '-o', name])).toMatchObject({ code: 0 })
    expect(readFileSync(join(cli.folder, name), 'latin1')).toContain(begin)
  }
  expect((await cli.run(['qr', 'drawn', '-o', 'a.gif'])).code).toBe(2)
})

/** What is in a code of half blocks. */
function readDrawn(lines: readonly string[]): Promise<string> {
  const dark = (line: string, y: number, light: string) =>
    [...line].map((cell, x) => (light.includes(cell) ? '' : `<rect x="${x}" y="${y}" width="1" height="1"/>`)).join('')
  const modules = lines.map((line, y) => dark(line, 2 * y, '█▀') + dark(line, 2 * y + 1, '█▄')).join('')
  const sides = `${lines[0]?.length} ${2 * lines.length}`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${sides}" width="800" shape-rendering="crispEdges">${modules}</svg>`
  return readCode(Buffer.from(svg))
}

describe('import, export and verify', () => {
  test('bring links from a file to the account and back, and say which rows fail', async () => {
    const rows = [
      'url,code,title',
      'https://example.com/1,moved-1,One',
      'nonsense,moved-2,',
      'https://example.com/3,moved-3,Three',
    ]
    writeFileSync(join(cli.folder, 'links.csv'), rows.join('\n'))
    const tried = await cli.run(['import', 'links.csv', '--dry-run'])
    expect([tried.code, await links('q=moved')]).toEqual([6, []])
    const imported = await cli.run(['import', 'links.csv', '--json'])
    expect([imported.code, JSON.parse(imported.stdout)]).toEqual([
      6,
      expect.objectContaining({ state: 'done', total: 3, failed: 1 }),
    ])
    expect(imported.stderr).toMatch(/^line 3: /)
    expect((await app.get('/moved-3')).headers.location).toBe('https://example.com/3')

    const csv = await cli.run(['export'])
    expect(csv.stdout.includes(`"https://example.com/1","moved-1"`)).toBe(true)
    expect(await cli.run(['export', '-o', 'all.json'])).toMatchObject({ code: 0, stdout: '' })
    const { links: exported } = JSON.parse(readFileSync(join(cli.folder, 'all.json'), 'utf8'))
    expect(exported.map(({ code }: LinkView) => code)).toContain('moved-3')
    const set = await cli.run(['export', '--domain', 'localhost', '--format', 'nginx'])
    expect(set.stdout).toContain('https://example.com/3')
    expect(await cli.run(['export', '--domain', 'no.example'])).toMatchObject({ code: 6, stdout: '' })
    const again = await cli.shell('terse export --format jsonl | terse import - --format jsonl --dry-run --json')
    expect(JSON.parse(again.stdout).state).toBe('checked')
  })

  test('files of others are read, and imported once', async () => {
    writeFileSync(join(cli.folder, '_redirects'), '/from-netlify https://example.com/netlify 301\n')
    const imported = ['import', '_redirects', '--from', 'netlify', '--json']
    const first = await cli.run(imported)
    expect([first.code, first.stderr, (await app.get('/from-netlify')).headers.location]).toEqual([
      0,
      '',
      'https://example.com/netlify',
    ])
    expect((await cli.run(imported)).code).toBe(0)
    expect(await links('q=from-netlify')).toHaveLength(1)
    // Another service is asked by its API only with a key, and a file has none.
    expect((await cli.run(['import', 'https://old.example', '--from', 'kutt'])).stderr).toContain('TERSE_SOURCE_KEY')
    expect((await cli.run(['import', 'https://old.example', '--from', 'sink'])).code).toBe(2)
    expect((await cli.run(['import'])).code).toBe(2)
    const { number } = JSON.parse(first.stdout)
    expect((await cli.run(['verify', '--job', number])).code).toBe(2)
    const ofJob = ['verify', '--job', '1', '--against', 'https://old.example']
    expect((await cli.run(ofJob)).code).toBe(4)
    for (const more of ['--ignore-status', '_redirects']) {
      expect(await cli.run([...ofJob, more])).toMatchObject({ code: 2, stderr: expect.stringContaining('--ignore-status') })
    }
  })

  test('columns are named, packed files are read, a dry run is started, and an import undone and done again', async () => {
    const csv = 'Go to,Where,Notes\nhttps://example.com/packed,packed-1,none\n'
    writeFileSync(join(cli.folder, 'table.csv.gz'), gzipSync(csv))
    const named = ['--columns', JSON.stringify({ 'Go to': 'url', Where: 'code', Notes: '' })]
    const file = ['import', 'table.csv.gz', '--from', 'other', ...named]
    const [checked] = await cli.json<Job>([...file, '--dry-run'])
    expect([checked?.state, await links('q=packed-1')]).toEqual(['checked', []])
    const [done] = await cli.json<Job>(['import', '--start', String(checked?.number)])
    expect(done).toMatchObject({ state: 'done', counts: { created: 1 } })
    expect((await app.get('/packed-1')).headers.location).toBe('https://example.com/packed')
    const [undone] = await cli.json<Job>(['import', '--undo', String(done?.number)])
    expect(undone).toMatchObject({ state: 'done', counts: { deleted: 1 } })
    expect(await cli.json<Job>(file)).toMatchObject([{ state: 'done', counts: { created: 1 } }])
    expect((await cli.run(['import', '--undo', '1', '--start', '2'])).code).toBe(2)
    expect((await cli.run([...file, '--owners', 'nobody'])).stderr).toContain('--owners isn’t a JSON object')
  })

  test('verify finds what leads elsewhere, by a file, by the account and by the old server', async () => {
    await browser.ask('POST', '/api/v1/links', { url: 'https://example.com/kept', code: 'kept' })
    const file = join(cli.folder, 'pairs.csv')
    writeFileSync(file, 'code,url\nkept,https://example.com/kept\n')
    expect(await cli.run(['verify', file])).toMatchObject({ code: 0, stdout: '1 links, 0 different.\n' })
    writeFileSync(file, 'code,url\nkept,"https://example.com/else,where"\nno-such-link,https://example.com/\n')
    const wrong = await cli.run(['verify', file])
    expect(wrong.code).toBe(8)
    expect(wrong.stdout).toContain(
      `${url}/kept\n  expected https://example.com/else,where\n  found    302 https://example.com/kept`,
    )
    expect(wrong.stdout).toContain('found    404 no redirect\n2 links, 2 different.')
    expect((await cli.run(['verify'])).stdout).toMatch(/^\d+ links, 0 different/)

    const old = http.createServer((_, response) => response.writeHead(301, { location: 'https://example.com/kept' }).end())
    const port = await freePort()
    await new Promise<void>((resolve) => old.listen(port, '127.0.0.1', resolve))
    const against = ['verify', '-', '--against', `http://127.0.0.1:${port}`]
    expect((await cli.run(against, { input: 'kept\n' })).code).toBe(8)
    expect((await cli.run([...against, '--ignore-status'], { input: 'kept\n' })).code).toBe(0)
    // Servers that know no HEAD are asked by GET, and a location that is no URL is an answer.
    old.removeAllListeners('request').on('request', ({ method, url: path }, response) => {
      if (method === 'HEAD') response.writeHead(405).end()
      else response.writeHead(302, { location: path === '/odd' ? 'http://[odd' : 'https://example.com/kept' }).end()
    })
    expect(await cli.run(against, { input: 'kept\n' })).toMatchObject({ code: 0 })
    expect((await cli.run(against, { input: 'odd\n' })).stdout).toContain('expected 302 http://[odd\n')
    await new Promise((resolve) => old.close(resolve))
    expect((await cli.run(against, { input: 'kept\n' })).stdout).toContain('expected no answer')
    // Neither leads anywhere, and still nothing is known of the old one.
    expect((await cli.run([...against, '--ignore-status'], { input: 'no-such-link\n' })).code).toBe(8)
    expect((await cli.run(['verify', '-'], { input: 'kept\n' })).stderr).toContain('standard input:1: there’s no destination')
    // Nothing of this was a click.
    expect((await links('q=kept'))[0]?.clicks).toBe(0)
  })
})

describe('what goes wrong', () => {
  test.each([
    ['an unknown command', ['shrink'], 2],
    ['an unknown option', ['ls', '--all-of-them'], 2],
    ['a missing argument', ['rm'], 2],
    ['an edit of nothing', ['edit', 'sale'], 2],
    ['a time that is none', ['shorten', 'https://example.com', '--expires', 'tomorrow'], 2],
    ['a link that is not there', ['edit', 'no-such-link', '--title', 'x'], 4],
    ['a code that is taken', ['shorten', 'https://example.com', '--code', 'taken'], 5],
    ['a destination that is refused', ['shorten', 'javascript:alert(1)'], 6],
  ])('%s has its exit code, and a message on standard error alone', async (_, args, code) => {
    await browser.ask('POST', '/api/v1/links', { url: 'https://example.com', code: 'taken' })
    const ran = await cli.run(args)
    expect([ran.code, ran.stdout]).toEqual([code, ''])
    expect(ran.stderr).not.toBe('')
    expect(ran.stderr).not.toMatch(/at .*\.js:\d/)
  })

  test('a wrong key, a key that may only read, no server and none that answers have theirs', async () => {
    const wrong = await cli.run(['ls'], { env: { TERSE_KEY: 'terse_wrong' } })
    expect([wrong.code, wrong.stderr]).toEqual([3, expect.stringContaining('terse login')])
    expect((await cli.run(['rm', 'sale'], { env: { TERSE_KEY: readKey } })).code).toBe(3)
    const none = await cli.run(['ls'], { env: { TERSE_URL: '' } })
    expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('No server yet')])
    const port = await freePort()
    const away = await cli.run(['ls'], { env: { TERSE_URL: `http://127.0.0.1:${port}` } })
    expect([away.code, away.stderr]).toEqual([7, expect.stringContaining(`Can’t reach http://127.0.0.1:${port}`)])
  })

  test('a server that is no Terse is named as that', async () => {
    const other = http.createServer((_, response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>no</h1>'))
    const port = await freePort()
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
    const ran = await cli.run(['ls'], { env: { TERSE_URL: `http://127.0.0.1:${port}` } })
    expect(ran.stderr).toContain('not as a Terse server does')
    await new Promise((resolve) => other.close(resolve))
  })

  test('a reader that has seen enough ends it quietly, and no pipe gets colours', async () => {
    const head = await cli.shell('set -o pipefail; terse ls --all --json | head -n 1 | wc -l')
    expect(head).toEqual({ code: 0, stdout: '1\n', stderr: '' })
    const help = await cli.run(['--help'])
    expect([help.code, help.stdout]).toEqual([0, expect.not.stringContaining('\u001b')])
  })

  test('each command has help with an exit code of 0', async () => {
    const { stdout } = await cli.run(['--help'])
    const names = [...stdout.matchAll(/^ {2}(\w+) .*$/gm)].map(([, name = '']) => name).filter((name) => name !== 'help')
    expect(names).toEqual(
      expect.arrayContaining([
        'shorten',
        'ls',
        'stats',
        'edit',
        'rm',
        'import',
        'export',
        'verify',
        'qr',
        'plan',
        'apply',
        'mcp',
      ]),
    )
    const helps = await Promise.all(names.map((name) => cli.run([name, '--help'])))
    for (const [i, help] of helps.entries())
      expect([help.code, help.stdout], names[i]).toEqual([0, expect.stringContaining(`terse ${names[i]}`)])
  })
})

describe('login', () => {
  const file = () => join(cli.folder, 'home/config/terse/config.json')
  const env = { TERSE_URL: '', TERSE_KEY: '' }

  test('keeps a server and a key that works, for this user alone; the environment wins, and logout forgets', async () => {
    const refused = await cli.run(['login', url], { input: 'terse_wrong\n', env })
    expect([refused.code, existsSync(file())]).toEqual([3, false])
    const kept = await cli.run(['login', url], { input: `${key}\n`, env })
    expect(kept).toMatchObject({ code: 0, stdout: expect.stringContaining('as Ada') })
    expect(kept.stdout).not.toContain(key)
    expect([statSync(file()).mode & 0o777, statSync(join(file(), '..')).mode & 0o777]).toEqual([0o600, 0o700])
    expect((await cli.run(['whoami'], { env })).stdout).toBe(`Ada <ada@example.com> on ${url}\n`)
    expect((await cli.run(['whoami'], { env: { ...env, TERSE_KEY: 'terse_wrong' } })).code).toBe(3)
    expect((await cli.run(['logout'], { env })).code).toBe(0)
    expect(existsSync(file())).toBe(false)
  })

  test('never sends the key of one server to another', async () => {
    const seen: (string | undefined)[] = []
    const other = http.createServer((request, response) => {
      seen.push(request.headers.authorization)
      response.writeHead(404).end()
    })
    const port = await freePort()
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve))
    await cli.run(['login', url], { input: key, env })
    await cli.run(['ls', '--server', `http://127.0.0.1:${port}`], { env })
    await cli.run(['ls'], { env: { ...env, TERSE_URL: `http://127.0.0.1:${port}` } })
    expect(seen).toEqual([undefined, undefined])
    expect((await cli.run(['ls', '-n', '1'], { env })).code).toBe(0)
    writeFileSync(file(), '{"url":')
    expect((await cli.run(['ls'], { env })).code).toBe(2)
    await new Promise((resolve) => other.close(resolve))
    await cli.shell(`rm ${file()}`)
  })
})

describe('completion', () => {
  test('in bash offers commands, options and their values, and files where it knows none', async () => {
    const complete = async (line: string) => {
      const script = `eval "$(terse completion bash)"; COMP_LINE=${JSON.stringify(line)}; COMP_WORDS=(${line}); ${line.endsWith(' ') ? "COMP_WORDS+=('');" : ''}
        COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _terse; printf '%s\\n' "\${COMPREPLY[@]}"; complete -p terse`
      const { stdout } = await cli.shell(script)
      const lines = stdout.trim().split('\n')
      expect(lines.pop()).toContain('-o default')
      return lines.filter(Boolean)
    }
    expect(await complete('terse s')).toEqual(['shorten', 'stats'])
    expect(await complete('terse ')).toEqual(expect.arrayContaining(['ls', 'plan', 'apply', 'mcp']))
    expect(await complete('terse ')).not.toContain('__complete')
    expect(await complete('terse ls --so')).toEqual(['--sort'])
    expect(await complete('terse ls --sort ')).toEqual(['newest', 'oldest', 'clicks'])
    expect(await complete('terse completion ')).toEqual(['bash', 'zsh', 'fish'])
    expect(await complete('terse apply ')).toEqual([])
  })

  const has = (shell: string) => spawnSync(shell, ['-c', 'exit']).status === 0

  test.skipIf(!has('zsh'))('in zsh does the same', async () => {
    const script = `autoload -Uz compinit; compinit -u -D; eval "$(terse completion zsh)"
      _describe() { print -l -- "\${(@P)2}" }; _files() { print files }
      words=(terse s); CURRENT=2; _terse; words=(terse ls --sort ''); CURRENT=4; _terse; words=(terse apply ''); CURRENT=3; _terse
      print $_comps[terse]`
    const { stdout } = await cli.shell(script, { shell: 'zsh' })
    const found = [
      'shorten:create short links',
      'stats:show statistics',
      'newest:the order',
      'oldest:the order',
      'clicks:the order',
    ]
    expect(stdout.trim().split('\n')).toEqual([...found, 'files', '_terse'])
  })

  test.skipIf(!has('fish'))('in fish does the same', async () => {
    const lines = ['terse s', 'terse ls --sort ', 'terse apply home']
    const script = ['terse completion fish | source', ...lines.map((line) => `complete -C '${line}'`)].join('; ')
    const { stdout } = await cli.shell(script, { shell: 'fish' })
    const found = [
      'shorten\tcreate short links',
      'stats\tshow statistics',
      'clicks\tthe order',
      'newest\tthe order',
      'oldest\tthe order',
    ]
    expect(stdout.trim().split('\n')).toEqual([...found, 'home/'])
  })
})

test('scripts use the same package: typed, in pages, with errors, and only what they import', async () => {
  const script = `
    import { createClient, TerseError } from 'terse'
    const terse = createClient({ url: process.env.TERSE_URL, key: process.env.TERSE_KEY })
    const { code } = await terse.links.create({ url: 'https://example.com/script', tags: ['script'] })
    await terse.links.edit(code, { title: 'From a script' })
    for await (const link of terse.links.list({ tag: 'script' })) console.log(link.title)
    try { await terse.links.get('no-such-link') } catch (error) { console.log(error instanceof TerseError, error.code, error.status) }
    const { data } = await terse.api.GET('/api/v1/labels')
    console.log(data.tags.some(({ name }) => name === 'script'))`
  writeFileSync(join(cli.folder, 'script.mjs'), script)
  const ran = await cli.shell(`${process.execPath} script.mjs`)
  expect(ran).toEqual({ code: 0, stdout: 'From a script\ntrue not_found 404\ntrue\n', stderr: '' })
})

test('the types of the package are whole, and a bundler takes only what a script imports', async () => {
  const checked = `
    import { createClient, type Link } from 'terse'
    const terse = createClient({ url: '' })
    const link: Promise<Link> = terse.links.create({ url: '' })
    // @ts-expect-error: no such property
    terse.links.create({ url: '', titel: '' })
    // @ts-expect-error: no such endpoint
    terse.api.GET('/api/v1/nothing')
    export const names = terse.api.GET('/api/v1/labels').then(({ data }) => data?.tags.map(({ name }) => name satisfies string))
    export default link`
  writeFileSync(join(cli.folder, 'checked.mts'), checked)
  const options = '--noEmit --strict --module nodenext --target es2023 --lib es2023,dom --types "" checked.mts'
  const tsc = await cli.shell(`${process.execPath} ${join(ROOT, 'node_modules/typescript/bin/tsc')} ${options}`)
  expect(tsc).toEqual({ code: 0, stdout: '', stderr: '' })

  const bundled = await build({
    stdin: { contents: "import { addressOf } from 'terse'; console.log(addressOf('a'))", resolveDir: cli.folder },
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  })
  expect(bundled.outputFiles[0]?.text).not.toContain('Idempotency-Key')
})
