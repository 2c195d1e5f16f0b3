import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ENDPOINTS } from '@/lib/api/endpoints'
import { PROBES } from '@/lib/probes'
import { codeProblem } from './custom'
import { codeProblemOn } from './on-domain'
import { isApiWord, isLanePath, isLanePathElsewhere, isReservedPath, isSpokenCode, RESERVED } from './reserved'

/** Files of `app/` that are themselves addresses, such as `icon.png` or `sitemap.ts`. */
const METADATA = /^(favicon|icon\d*|apple-icon\d*|opengraph-image\d*|twitter-image\d*|robots|sitemap|manifest)\.\w+$/
/** Those that are served under their own name and extension, whatever the source file's is. */
const SERVED_AS: Record<string, string> = { robots: 'robots.txt', sitemap: 'sitemap.xml', manifest: 'manifest.webmanifest' }

const customCodeProblem = (code: string) => codeProblem(code) ?? codeProblemOn(code, { isBase: true, spoken: true })

/** The first path segment of everything that Next.js serves from these folders. */
function firstSegments(app: string, publicFolder: string): string[] {
  const segments = readdirSync(publicFolder)
  for (const entry of readdirSync(app, { withFileTypes: true })) {
    const { name } = entry
    if (entry.isDirectory()) {
      if (name.startsWith('(') || name.startsWith('@')) segments.push(...firstSegments(join(app, name), publicFolder))
      else if (!name.startsWith('_') && !name.startsWith('[')) segments.push(name)
    } else if (METADATA.test(name)) {
      const stem = name.slice(0, name.indexOf('.'))
      segments.push(/\.[jt]sx?$/.test(name) ? (SERVED_AS[stem] ?? stem) : name)
    }
  }
  return segments
}

const unreserved = (segments: string[]) =>
  segments.filter((segment) => isLanePath(`/${segment}`) || customCodeProblem(segment) === null)

describe('reserved words', () => {
  const segments = firstSegments('app', 'public')

  it('hold the first segment of every route in app/ and of every file in public/', () => {
    expect(segments).toEqual(expect.arrayContaining(['api', 'docs', 'healthz', 'favicon.svg', 'robots.txt']))
    expect(unreserved(segments)).toEqual([])
  })

  it('keep all of those, however written and with whatever behind, for the application', () => {
    for (const segment of segments) {
      for (const path of [segment, segment.toUpperCase(), `${segment}/more`, `${segment}?query`]) {
        expect(isLanePath(`/${path}`), path).toBe(false)
      }
      const stem = segment.replace(/\.\w+$/, '')
      for (const code of [stem, stem.toUpperCase(), `${stem}/more`]) expect(customCodeProblem(code), code).not.toBeNull()
    }
  })

  it('keep the front page, the probes and what Next.js serves by itself for the application', () => {
    const paths = [
      '/',
      '/?utm=1',
      '/_next/static/x.js',
      '/_next/image?url=x',
      '/.well-known/security.txt',
      ...Object.keys(PROBES),
    ]
    expect(paths.filter(isLanePath)).toEqual([])
  })

  it('keep the public pages of accounts for the application', () => {
    expect(['/@12345678', '/@12345678?cursor=x', '/@12345678/more'].filter(isLanePath)).toEqual([])
    for (const code of ['@12345678', '@12345678/more']) expect(customCodeProblem(code), code).not.toBeNull()
  })

  it('leave every other path to the codes', () => {
    const paths = [
      '*',
      '/@1234567',
      '/@123456789',
      '/@1234567a',
      '/x@12345678',
      '/abc',
      '/apis',
      '/my-docs',
      '/a/api',
      '/x?docs',
      '/été',
      '/12345678',
      '/robot',
      '/icons',
    ]
    expect(paths.filter((path) => !isLanePath(path))).toEqual([])
  })
})

describe('words of the API', () => {
  const METHODS = new Set(ENDPOINTS.flatMap(({ spec: { path, method } }) => (path === '/api/v1/links/{code}' ? [method] : [])))
  const endpoints = ENDPOINTS.flatMap((endpoint) => {
    const word = /^\/api\/v1\/links\/([^/{]+)$/.exec(endpoint.spec.path)?.[1]
    const { query, method } = endpoint.spec
    return word === undefined ? [] : [{ word, query, isOfLinksToo: METHODS.has(method) }]
  })

  it('stand where a code stands, and keep no link from being called so: they are not given out by chance', () => {
    const words = endpoints.map(({ word }) => word)
    expect(words).toContain('bulk')
    for (const word of words) {
      expect(customCodeProblem(word), word).toBeNull()
      expect(isApiWord(word), word).toBe(true)
      expect(isLanePath(`/${word}`)).toBe(true)
    }
  })

  it('are told from a link by the domain that is named with it: where a link has the same method, none of them takes one', () => {
    expect([...METHODS].sort()).toEqual(['DELETE', 'GET', 'PATCH'])
    for (const { word, query } of endpoints.filter(({ isOfLinksToo }) => isOfLinksToo))
      expect(query instanceof z.ZodObject ? Object.keys(query.shape) : [], word).not.toContain('domain')
  })
})

describe('other domains', () => {
  it('keep back what robots, browsers, certificates and load balancers ask of any host, and nothing else', () => {
    const kept = ['robots.txt', 'sitemap.xml', 'favicon.ico', '.well-known/security.txt', '.well-known', 'healthz', 'readyz']
    for (const code of [...kept, 'apple-touch-icon.png', 'apple-touch-icon-120x120-precomposed.png']) {
      expect(codeProblemOn(code, {}), code).not.toBeNull()
      expect(isLanePathElsewhere(`/${code}?x=1`), code).toBe(false)
    }
    expect(isLanePathElsewhere('/')).toBe(false)
    expect(isLanePathElsewhere('/?x')).toBe(false)
    for (const code of [...RESERVED, 'api/v1', '_next/x', '@mia', '12345', 'robots', 'favicon', 'docs.html', '.well-known-x']) {
      if (kept.includes(code)) continue
      expect(codeProblemOn(code, {}), code).toBeNull()
      expect(isLanePathElsewhere(`/${code}`), code).toBe(true)
    }
  })

  it('take over all of the first 10,000 keywords of YOURLS, by the counter in base 36 and in base 62', () => {
    const digits = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
    const keyword = (n: number, base: number): string =>
      n < base ? (digits[n] as string) : keyword(Math.floor(n / base), base) + digits[n % base]
    for (const base of [36, 62]) {
      for (let n = 1; n <= 10_000; n++) {
        const code = keyword(n, base)
        expect(codeProblem(code) ?? codeProblemOn(code, { isBase: false, spoken: false }, true), code).toBeNull()
        if (!isLanePathElsewhere(`/${code}`)) expect.fail(code)
      }
    }
  })
})

describe('the check of the reserved words', () => {
  const root = mkdtempSync(join(tmpdir(), 'terse-routes-'))
  afterAll(() => rmSync(root, { recursive: true }))

  it('finds a route or file that nobody reserved', () => {
    const [app, files] = [join(root, 'app'), join(root, 'public')]
    for (const folder of ['pricing', '(group)/teams', '_private', '[...code]', 'api'])
      mkdirSync(join(app, folder), { recursive: true })
    mkdirSync(files)
    writeFileSync(join(files, 'press-kit.zip'), '')
    writeFileSync(join(app, 'sitemap.ts'), '')
    writeFileSync(join(app, 'twitter-image.tsx'), '')
    expect([...new Set(unreserved(firstSegments(app, files)))].sort()).toEqual([
      'press-kit.zip',
      'pricing',
      'teams',
      'twitter-image',
    ])
  })
})

describe('spoken codes', () => {
  it('are exactly the all-digit codes of up to six digits', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{1,12}$/), (digits) => {
        expect(isSpokenCode(digits)).toBe(digits.length <= 6)
      }),
    )
    for (const code of ['', 'a1', '12a', '1-2', '１２']) expect(isSpokenCode(code), code).toBe(false)
  })

  it('are not taken for words of the application', () => {
    expect(isReservedPath('123456')).toBe(false)
  })
})
