// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are variables of other languages

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAllRedirects } from '@netlify/redirect-parser'
import fc from 'fast-check'
import { parseDocument } from 'htmlparser2'
import { afterAll, describe, expect, it } from 'vitest'
import { linkOf, staticLink } from '@/lib/testing/static-links'
import { formatOf } from './formats'
import type { StaticLink } from './static-link'
import type { SetName } from './values'

const FACTS = { now: 0, baseHost: 'go.example', foldedHosts: [] }
const folder = mkdtempSync(join(tmpdir(), 'terse-formats-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The file of these links, and what became of each. */
function fileOf(name: SetName, links: readonly StaticLink[]) {
  const writer = formatOf(name).writer(FACTS)
  const added = links.map((link) => writer.add(link))
  const body = added.map((one) => (typeof one === 'string' ? one : '')).join('')
  const leftOut = added.map((one) => (typeof one === 'string' ? null : one.leftOut))
  return { text: writer.head(['a note -- of two']) + body + writer.end(['go.example'], ['an end -- of two']), leftOut }
}

const links = fc.uniqueArray(staticLink, { maxLength: 20, selector: ({ host, code }) => `${host}/${code}` })

/** Parameters of a configuration as nginx reads them: each directive and block is one line of them. */
function nginxTokens(text: string): string[] {
  const quoted = /"((?:\\.|[^"\\])*)"/gs
  return Array.from(text.matchAll(quoted), ([, inside = '']) =>
    inside.replace(/\\(["'\\trn])/g, (_all, mark: string) => ({ t: '\t', r: '\r', n: '\n' })[mark] ?? mark),
  )
}

describe('nginx', () => {
  it('reads every destination back as it is, whatever is in it', () => {
    fc.assert(
      fc.property(links, (some) => {
        const { text, leftOut } = fileOf('nginx', some)
        expect(leftOut.every((why) => why === null)).toBe(true)
        const maps = nginxTokens(text).map((token) => token.replaceAll('${terse_dollar}', '$').split('\t'))
        for (const { code, url, status } of some) {
          const found = maps.some((map) =>
            map.some((part, at) => part === `/${code}` && map[at + 1] === `${status}` && map[at + 2] === url),
          )
          expect(found, url).toBe(true)
        }
        // Nothing else begins a variable.
        const values = text
          .slice(text.indexOf('map "$host'))
          .split('\n')
          .filter((line) => line.startsWith('    "go.'))
        // In a key it is itself.
        for (const line of values) expect(line.replace(/^ +"[^"]*"/, '').replaceAll('${terse_dollar}', '')).not.toContain('$')
      }),
    )
  })

  it('has no key twice, in small letters, within one map', () => {
    const { text } = fileOf(
      'nginx',
      ['aB', 'Ab', 'ab', 'AB'].map((code) => linkOf({ code, url: `https://example.com/${code}` })),
    )
    expect(text.match(/^ {4}"go\.example\/ab" /gm)).toHaveLength(1)
    expect(text.match(/terse_links_/g)).not.toBeNull()
  })

  it('begins another map for 50,000 links, and where a value would get too long', () => {
    const many = Array.from({ length: 50_001 }, (_, n) => linkOf({ code: `c${n}` }))
    expect(fileOf('nginx', many).text).toContain('$terse_links_2 {')
    const long = ['aB', 'Ab'].map((code) => linkOf({ code, url: `https://example.com/${'x'.repeat(2_500)}` }))
    expect(fileOf('nginx', long).text).toContain('$terse_links_2 {')
  })

  it('leaves out what nginx cannot read', () => {
    const url = `https://example.com/${'x'.repeat(4_000)}`
    expect(fileOf('nginx', [linkOf({ url })]).leftOut).toEqual(['long'])
    // Each takes 15 bytes there.
    expect(fileOf('nginx', [linkOf({ url: `https://example.com/${'$'.repeat(300)}` })]).leftOut).toEqual(['long'])
  })
})

describe('Apache', () => {
  it('reads lines of two words, of which no two are for the same path', () => {
    fc.assert(
      fc.property(links, (some) => {
        const { text } = fileOf('apache', some)
        const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
        expect(lines).toHaveLength(some.length)
        for (const line of lines) expect(line).toMatch(/^[!-~]+ 30[1278]:https?:[!-~]+$/)
        expect(new Set(lines.map((line) => line.split(' ')[0])).size).toBe(some.length)
      }),
    )
  })

  it('leaves out what mod_rewrite would cut', () => {
    const url = `https://example.com/${'x'.repeat(1_000)}`
    expect(fileOf('apache', [linkOf({ url }), linkOf()]).leftOut).toEqual(['long', null])
  })
})

describe('_redirects', () => {
  it('is read by Netlify’s own parser as it was meant', async () => {
    const some = fc.sample(links, { numRuns: 60, seed: 5 }).flat()
    const file = join(folder, '_redirects')
    writeFileSync(file, fileOf('redirects', some).text)
    const { redirects, errors } = await parseAllRedirects({ redirectsFiles: [file], configRedirects: [], minimal: true })
    expect(errors).toEqual([])
    expect(redirects).toHaveLength(some.length)
    for (const [at, { code, url, status }] of some.entries()) {
      const { from, to, status: given } = redirects[at] as { from: string; to: string; status: number }
      expect([decodeURIComponent(from), to, given]).toEqual([`/${code}`, url, status])
    }
  })

  it('says what Cloudflare passes over', () => {
    const many = Array.from({ length: 2_001 }, (_, n) => linkOf({ code: `c${n}` }))
    expect(fileOf('redirects', many).text).toContain('# Cloudflare takes 2000 of these 2001 lines.')
    const url = `https://example.com/${'x'.repeat(1_000)}`
    expect(fileOf('redirects', [linkOf({ url })]).text).toContain(
      '# Lines that are too long for Cloudflare, which passes over them: 1',
    )
    expect(fileOf('redirects', [linkOf({ url: 'mailto:ada@example.com' })]).leftOut).toEqual(['scheme'])
  })
})

describe('S3', () => {
  const found = (text: string, name: string) => Array.from(JSON.stringify(text).length ? elements(text, name) : [])

  function elements(text: string, name: string): string[] {
    const all: string[] = []
    const walk = (node: { name?: string; children?: unknown[]; data?: string }) => {
      if (node.name === name) all.push((node.children as { data?: string }[]).map(({ data }) => data ?? '').join(''))
      for (const child of node.children ?? []) walk(child as typeof node)
    }
    walk(parseDocument(text, { xmlMode: true }) as never)
    return all
  }

  it('has a rule for each of the first 50 links, the longest code first', () => {
    fc.assert(
      fc.property(links, (some) => {
        const { text } = fileOf('s3-rules', some)
        const keys = found(text, 'KeyPrefixEquals')
        const [protocols, hosts, rests, codes] = ['Protocol', 'HostName', 'ReplaceKeyWith', 'HttpRedirectCode'].map((name) =>
          found(text, name),
        )
        const told = keys.map((key, at) => [key, `${protocols?.[at]}://${hosts?.[at]}/${rests?.[at]}`, Number(codes?.[at])])
        const key = (one: unknown) => JSON.stringify(one)
        expect(told.map(key).sort()).toEqual(some.map(({ code, url, status }) => key([code, url, status])).sort())
        const lengths = keys.map((one) => Buffer.byteLength(one))
        expect(lengths).toEqual([...lengths].sort((a, b) => b - a))
      }),
    )
    const { leftOut } = fileOf(
      's3-rules',
      Array.from({ length: 52 }, (_, n) => linkOf({ code: `c${n}` })),
    )
    expect(leftOut.filter((why) => why === 'most')).toHaveLength(2)
  })

  it('has a shell put each object, whatever its words hold', () => {
    const some = [linkOf({ code: '-x' }), linkOf({ code: '--debug' }), ...fc.sample(links, { numRuns: 30, seed: 7 }).flat()]
    const script = join(folder, 'objects.sh')
    writeFileSync(script, fileOf('s3-objects', some).text)
    // In place of the command line of AWS.
    const shell = `aws() { for word in "$@"; do printf '%s\\0' "$word" >&3; done; }; . ${script}`
    const words = execFileSync('sh', ['-c', `(${shell}) 3>&1`], {
      env: { PATH: process.env.PATH, BUCKET: 'links' } as never,
    }).toString()
    const expected = some.flatMap(({ code, url }) => [
      // A word of its own that begins with a hyphen is an option to it.
      ...['s3api', 'put-object', '--bucket=links', `--key=${code}`, `--website-redirect-location=${url}`],
    ])
    expect(words.split('\0').slice(0, -1)).toEqual(expected)
  })
})

it('the data of the server of one file is JSON in lines, with times only where there are some', () => {
  const some = [linkOf(), linkOf({ startsAt: 5 }), linkOf({ expiresAt: 7, expiredUrl: 'https://example.com/over' })]
  const lines = fileOf('node', some)
    .text.trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.slice(1, -1)).toEqual([
    ['go.example', 'abc', 'https://example.com/', 302],
    ['go.example', 'abc', 'https://example.com/', 302, 5],
    ['go.example', 'abc', 'https://example.com/', 302, null, 7, 'https://example.com/over'],
  ])
  expect([lines[0].base, lines[0].folded, Object.keys(lines.at(-1))]).toEqual(['go.example', [], ['notes']])
})
