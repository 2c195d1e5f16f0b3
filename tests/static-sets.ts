// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are variables of other languages

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'vitest'
import { isCodeShaped } from '@/lib/codes/custom'
import { insertStatement } from '@/lib/links/insert'
import { connectTo } from '@/lib/testing/database'
import { linkRow } from '@/lib/testing/links'
import { type Answer, type App, eventually, OF_THIS_RUN, ROOT, request, SECRET } from './harness'

/** Links that are hard to write down, and what any server has to answer for them. */

/** Its codes differ by their case. */
const HOST = 'go.example'
/** Its codes do not, and are kept in small letters. */
const ANY_CASE = 'any.example'

const CODES = [
  ...[
    'aB',
    'Ab',
    'ab',
    'AB',
    'spring-sale',
    'docs/2026/a',
    'DOCS/2026/a',
    'with_underscore',
    'ä',
    'Ä',
    'Ünï',
    'привет',
    '日本語',
  ],
  // As other shorteners made them.
  ...['a.b', 'a~b', '👩‍🚀', '🎉', 'a.b.c/d~e', '~', "it's", 'a$b$1', 'a*b', '(x)!', 'a,b;c=d&e', '@me:x', 'x'.repeat(128)],
]

const DESTINATIONS = [
  'https://example.com/',
  'http://example.com:8080/path;a=1,b=2?x=1&y=2#frag',
  'https://example.com/?q="quoted"\'s&`tick`',
  'https://example.com/$1/${terse_x}/%{HTTP_HOST}/%1/\\1?a=$args&b=${lower:ABC}',
  'https://example.com/{braces}/[brackets]?{a}=[b]|c^d\\e',
  'https://example.com/%20%25%7B%00?100%&a=%',
  'https://example.com/a b?c d#e f',
  'https://bücher.example/straße/日本語?ü=ö#ß',
  'https://example.com/?trailing=1&',
  'https://example.com/?',
  'https://example.com/#',
  'https://example.com/?a#b?c#d',
  'https://example.com/:splat/*/:code',
  'https://[2001:db8::1]/x',
  "https://example.com/it's;return 200 'x';}#{",
  'https://example.com/?u=https://other.example/?v=1%26w=2',
  'https://example.com/<b>&amp;</b>--><!--',
  `https://example.com/${'long/'.repeat(160)}`,
]

export interface Expected {
  host: string
  /** As a client sends it. */
  path: string
  status: number
  location: string | undefined
}

const STATUSES = [301, 302, 307, 308]
const pathOf = (code: string) => encodeURI(`/${code}`)

/** Puts the domains and their links into a database before the app starts. @returns what to ask, and for what answer */
export async function seedLinks(databaseUrl: string): Promise<Expected[]> {
  const connection = await connectTo(databaseUrl)
  const idOf = async (host: string, codeCase: number) => {
    const sql = 'INSERT INTO Domain (host, createdAt, verifiedAt, codeCase) VALUES (?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3), ?)'
    return Number((await connection.query<{ insertId: bigint }>(sql, [host, codeCase])).insertId)
  }
  const ids: Record<string, number> = { [HOST]: await idOf(HOST, 0), [ANY_CASE]: await idOf(ANY_CASE, 2) }
  const expected: Expected[] = []
  const rowOf = (host: string, code: string, given: Parameters<typeof linkRow>[0]) =>
    linkRow({ ...given, domainId: ids[host] ?? 0, code, fullShortUrl: `${host}/${code}` })
  const rows: ReturnType<typeof linkRow>[] = []
  const add = (host: string, code: string, url: string) => {
    const [status, location] = [STATUSES[rows.length % STATUSES.length] ?? 302, new URL(url).href]
    rows.push(rowOf(host, code, { url: location, redirectStatus: status }))
    expected.push({ host, path: pathOf(code), status, location })
    return { status, location }
  }
  for (const [at, code] of CODES.entries()) add(HOST, code, DESTINATIONS[at % DESTINATIONS.length] ?? '')
  for (const [at, url] of DESTINATIONS.entries()) add(HOST, `destination-${at}`, url)
  for (const code of ['summer', 'a_b-c']) {
    const same = add(ANY_CASE, code, `https://example.com/${code}`)
    expected.push({ host: ANY_CASE, path: pathOf(code.toUpperCase()), ...same })
  }
  // One that has expired leads elsewhere.
  const over = { expiresAt: new Date(0), expiredUrl: 'https://example.com/over' }
  rows.push(rowOf(HOST, 'over', over))
  expected.push({ host: HOST, path: '/over', status: 302, location: over.expiredUrl })
  // What is kept from visitors.
  for (const [name, given] of Object.entries(KEPT_OUT)) rows.push(rowOf(HOST, `kept-${name}`, given))
  const { sql, values } = insertStatement(rows)
  await connection.query(sql, values)
  await connection.end()
  return expected
}

const KEPT_OUT: Record<string, Parameters<typeof linkRow>[0]> = {
  password: { passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHQ$aGFzaA' },
  limit: { maxClicks: 5 },
  closed: { state: 'disabled' },
  banned: { state: 'banned' },
  expired: { expiresAt: new Date(0) },
  scheduled: { startsAt: new Date('2999-01-01') },
  scheme: { url: 'mailto:ada@example.com' },
}

/** Paths that no link answers, of which some try to be one. */
const UNKNOWN = [
  ...Object.keys(KEPT_OUT).map((name) => `/kept-${name}`),
  ...['/', '/unknown', '/a', '/aBc', '/a%42/c', '/spring-sale/x', '/docs', '/docs/2026'],
  ...['/x%09/x%09302%09https://evil.example', '/%2a', '/*', '/aB%09', '/summer%0a', '/$1'],
]

/** Asks a server for every link and for what is none, and compares each answer. @returns how many were asked */
export async function compareAll(port: number, expected: readonly Expected[]): Promise<number> {
  const wrong: unknown[] = []
  let asked = 0
  const ask = async (method: string, host: string, path: string) => {
    asked += 1
    return await request(port, path, { method, headers: { host } })
  }
  const isAs = ({ status, location }: Expected, answer: Answer) =>
    answer.status === status && answer.headers.location === location
  for (const one of expected) {
    const paths = [one.path, `${one.path}?utm_source=x`, `${one.path}/`]
    for (const path of paths) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await ask(method, one.host, path)
        if (!isAs(one, answer)) wrong.push([method, path, one, answer.status, answer.headers.location])
      }
    }
  }
  for (const path of UNKNOWN) {
    const answer = await ask('GET', HOST, path)
    if (answer.headers.location !== undefined || ![400, 403, 404].includes(answer.status)) wrong.push([path, answer])
  }
  // Of another domain: capitals count where they count, and no link is of two.
  for (const path of ['/Summer', '/summer', '/SPRING-SALE']) {
    const answer = await ask('GET', HOST, path)
    if (answer.status !== 404) wrong.push([path, answer])
  }
  expect(wrong).toEqual([])
  return asked
}

/** The same of the app itself, for the codes that it takes. */
export async function compareApp(app: App, expected: readonly Expected[]): Promise<void> {
  for (const { host, path, status, location } of expected) {
    if (!isCodeShaped(decodeURI(path).slice(1))) continue
    const answer = await app.get(path, { host })
    expect([path, answer.status, answer.headers.location]).toEqual([path, status, location])
  }
}

/** Starts a program; what it says goes to `output`. */
export function start(program: string, args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(program, args, {
    env: { ...OF_THIS_RUN, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { child, output: '' }
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said.output += text))
  return said
}

/** Waits until something answers at a port. @throws Error with what the program says, if it ends before */
export async function listening(program: ReturnType<typeof start>, port: number): Promise<void> {
  await eventually(
    () => (program.child.exitCode === null ? isAnswered(port) : Promise.reject(new Error(`ended: ${program.output}`))),
    (isUp) => isUp,
  )
}

const isAnswered = (port: number) =>
  request(port, '/unknown').then(
    () => true,
    () => false,
  )

/** `npm run export` of the built app. */
export async function runExport(
  env: Record<string, string>,
  args: readonly string[],
): Promise<{ code: number | null; output: string }> {
  const said = start(process.execPath, ['--enable-source-maps', join(ROOT, 'dist/cli/export.js'), ...args], {
    APP_SECRET: SECRET,
    ...env,
  })
  const code = await new Promise<number | null>((resolve) => said.child.once('close', resolve))
  return { code, output: said.output }
}
