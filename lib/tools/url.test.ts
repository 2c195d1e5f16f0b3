import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseUrl } from './url'

const HREF = 'https://xn--mnchen-3ya.de/'

describe('a URL', () => {
  it('is read as WHATWG says, against a base where there is one', () => {
    expect(parseUrl('https://münchen.de')?.href).toBe(HREF)
    expect(parseUrl('/x', 'https://example.com')?.href).toBe('https://example.com/x')
    expect(parseUrl('/x')).toBeNull()
    expect(parseUrl('')).toBeNull()
  })

  // URL.canParse of Node 20 turns to false for it after some thousand calls.
  it('with letters beyond ASCII is read however often URLs were read before', () => {
    for (let i = 0; i < 300_000; i++) parseUrl(`https://example.com/${i % 10}`)
    expect(parseUrl('https://münchen.de')?.href).toBe(HREF)
  })

  it('is asked for in this way everywhere', () => {
    const files = ['lib', 'app', 'packages/cli/src'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .map((file) => path.join(folder, file))
        .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('lib/tools/url')),
    )
    expect(files.length).toBeGreaterThan(300)
    expect(files.filter((file) => /\bURL\.(canParse|parse)\b/.test(readFileSync(file, 'utf8')))).toEqual([])
  })
})
