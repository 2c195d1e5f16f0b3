import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { describe, expect, it } from 'vitest'

const CONTRIBUTING = readFileSync('CONTRIBUTING.md', 'utf8')

/** The rooms of lib as CONTRIBUTING lists them, from the top down: that list is the rule. */
const ROOMS = [...CONTRIBUTING.matchAll(/^\| `lib\/([\w-]+)(?:\/|\.ts)` \|/gm)].map(([, room]) => room ?? '')

const sourcesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => /\.tsx?$/.test(path) && !/\.(test|check)\.ts$|^lib\/(testing|db\/generated)\//.test(path))

const SOURCES = sourcesIn('lib')

/** What a file imports, types and what is loaded later included: paths from the root, or the names of packages. */
function importsOf(path: string): string[] {
  const found = readFileSync(path, 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)
  return [...found].map(([, name = '']) => (name.startsWith('.') ? join(dirname(path), name) : name.replace(/^@\//, '')))
}

const roomOf = (path: string) => path.split('/')[1]?.replace(/\.ts$/, '') ?? ''

const found = (isWrong: (one: { from: string; to: string }) => boolean, sources = SOURCES) =>
  sources
    .flatMap((from) => importsOf(from).map((to) => ({ from, to })))
    .filter(isWrong)
    .map(({ from, to }) => `${from} imports ${to}`)

describe('the rooms of lib', () => {
  it('are those that CONTRIBUTING lists', () => {
    expect(new Set(SOURCES.map(roomOf))).toEqual(new Set(ROOMS))
    const named = [...CONTRIBUTING.matchAll(/`(lib\/[\w/.-]+)`/g)].map(([, path = '']) => path)
    expect(named.filter((path) => !existsSync(path))).toEqual([])
  })

  it('name files in their comments that exist, as does the schema', () => {
    const text = [...SOURCES, 'prisma/schema.prisma'].map((path) => readFileSync(path, 'utf8')).join('\n')
    const comments = text.match(/^\s*(?:\/\/|\/?\*).*$/gm)?.join('\n') ?? ''
    const named = comments.matchAll(
      /(?<![\w./-])((?:lib|app|scripts|tests|e2e|docs|prisma)\/[\w./-]+\.(?:tsx?|mjs|lua|md|sql))\b/g,
    )
    expect([...new Set([...named].map(([, path = '']) => path))].filter((path) => !existsSync(path))).toEqual([])
  })

  it('import only from rooms below them, so that there is no circle', () => {
    const level = (path: string) => ROOMS.indexOf(roomOf(path))
    expect(found(({ from, to }) => to.startsWith('lib/') && level(to) < level(from))).toEqual([])
  })

  it('know nothing of pages, of their frameworks and of what tests use', () => {
    expect(found(({ to }) => /^(app|lib\/testing|next|react|react-dom)(\/|$)/.test(to))).toEqual([])
  })
})

/** Each bundle has a copy of a module (docs/decisions/0003-one-runtime.md): what it kept would not be that of the process. */
it('a module of lib keeps no state', () => {
  const state =
    /^(?:export )?(?:(?:let|var) .*|const .* = new (?:LRUCache|Weak\w+|AsyncLocalStorage|(?:Map|Set)(?:<.*>)?\(\)).*)/m
  const kept = SOURCES.map((path) => [path, state.exec(readFileSync(path, 'utf8'))?.[0]])
  expect(kept.filter(([, line]) => line !== undefined)).toEqual([])
})

/** What goes has to be noted, or it is counted as if it were there (lib/links/remove.ts). */
it('links are deleted in one place', () => {
  const deletes = SOURCES.filter((path) => /\blink\.delete\w*\(|DELETE FROM Link\b/.test(readFileSync(path, 'utf8')))
  expect(deletes).toEqual(['lib/links/remove.ts'])
})

/** What changes a link writes its history in the same transaction (lib/links/history.ts). */
it('links are written where their history is, but for what it does not tell', () => {
  const writes = SOURCES.filter((path) => /\blink\.(update|upsert)\w*\(|UPDATE (Link\b|`Link`)/.test(readFileSync(path, 'utf8')))
  const told = writes.filter((path) => /\bnote(Edits?|Changes?)\(/.test(readFileSync(path, 'utf8')))
  const tellers = ['lib/links/edit-many.ts', 'lib/links/rename.ts', 'lib/links/restore.ts', 'lib/links/update.ts']
  expect(told).toEqual(['lib/accounts/claim.ts', 'lib/accounts/remove.ts', ...tellers])
  // Clicks are counted, limits used up, links handed to others by `reuse`, and the same password hashed anew.
  const silent = ['lib/clicks/apply.ts', 'lib/clicks/limit.ts', 'lib/links/reuse.ts', 'lib/redirect/link-passwords.ts']
  expect(writes.filter((path) => !told.includes(path))).toEqual(silent)
})

/** It takes the square of a text's length, which lib/tools/normalised.ts bounds. */
it('nothing normalises a text of any length', () => {
  const all = [...SOURCES, ...sourcesIn('app')].filter((path) => path !== 'lib/tools/normalised.ts')
  expect(all.filter((path) => /\.normalize\(/.test(readFileSync(path, 'utf8')))).toEqual([])
})

describe('the parts of pages', () => {
  const parts = sourcesIn('app').filter((path) => /\/(_parts|_ui)\//.test(path))
  const rooms = [...readFileSync('CONTRIBUTING.md', 'utf8').matchAll(/^\| `app\/(?:…|_ui)\/(\w+)\/` \|/gm)].map(
    ([, room]) => room,
  )
  const room = (path: string) => /^app\/_ui\/(\w+)\//.exec(path)?.[1] ?? /\/(_parts)\//.exec(path)?.[1]
  /** The route that a part lies beside: `app/admin/links/`. */
  const routeOf = (path: string) => path.slice(0, path.indexOf('_parts'))

  it('lie in the rooms that CONTRIBUTING lists', () => {
    expect(new Set(parts.map(room))).toEqual(new Set(rooms))
  })

  it('import only from rooms below them', () => {
    const isUp = ({ from, to }: { from: string; to: string }) => rooms.indexOf(room(to)) < rooms.indexOf(room(from))
    expect(found((one) => room(one.to) !== undefined && isUp(one), parts)).toEqual([])
  })

  it('are of no use to other pages', () => {
    const isOthers = ({ from, to }: { from: string; to: string }) => room(to) === '_parts' && !from.startsWith(routeOf(to))
    expect(found(isOthers, sourcesIn('app'))).toEqual([])
  })
})

it('a line of a comment is no longer than one of code', () => {
  const { formatter } = JSON.parse(readFileSync('biome.json', 'utf8')) as { formatter: { lineWidth: number } }
  const long = [...SOURCES, ...sourcesIn('app')].flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => /^ *(\/\/|\/?\*\*?( |$))/.test(line) && line.length > formatter.lineWidth)
      .map((line) => `${path}: ${line.trim()}`),
  )
  expect(long).toEqual([])
})
