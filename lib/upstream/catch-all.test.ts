import { expect, it, vi } from 'vitest'
import { CatchAlls, codeOfNobody } from './catch-all'
import type { UpstreamReply } from './upstream'

const UPSTREAM = { url: 'http://192.0.2.7', host: null, ownerId: null }
const shortUrl = (code: string) => new URL(`/${code}`, 'https://go.example')
const to = (location: string): UpstreamReply => ({
  kind: 'redirect',
  status: 302,
  location: new URL(location).href,
  isOwn: false,
})
const has = (answer: (path: string) => UpstreamReply, code: string, location: string) =>
  new CatchAlls(async (_, { pathname }) => answer(pathname.slice(1))).answersAnyCode(
    UPSTREAM,
    shortUrl(code),
    new URL(location).href,
  )

it('a code of nobody is one that every shortener takes, and never the same', () => {
  const codes = Array.from({ length: 1000 }, codeOfNobody)
  expect(new Set(codes).size).toBe(1000)
  for (const code of codes) expect(code).toMatch(/^terse[0-9a-z]{20}$/)
})

it('what each unknown code gets is known again, with the code in it or without, however it is encoded', async () => {
  const home = () => to('https://home.example/not-found')
  expect(await has(home, 'spring', 'https://home.example/not-found')).toBe(true)
  expect(await has(home, 'spring', 'https://home.example/found')).toBe(false)
  const moved = (path: string) => to(`https://new.example/${path}`)
  const asked = (path: string) => to(`https://home.example/?code=${encodeURIComponent(decodeURIComponent(path))}`)
  for (const code of ['a', 'spring', 'Spring', 'docs/a', 'gr%C3%BC%C3%9Fe', 'a+b', '$&', 'home']) {
    for (const answer of [moved, asked]) {
      const { location } = answer(code) as { location: string }
      expect(await has(answer, code, location), location).toBe(true)
      expect(await has(answer, code, `${location}x`), location).toBe(false)
    }
  }
  expect(await has((path) => to(`https://home.example/${path.toLowerCase()}`), 'SALE', 'https://home.example/sale')).toBe(true)
})

it('an old shortener that says of unknown codes that they are unknown catches nothing', async () => {
  expect(await has(() => ({ kind: 'unknown' }), 'spring', 'https://home.example/')).toBe(false)
})

it('is asked once for a while, by all who ask at once; where it gave no answer nothing is known', async () => {
  const fetch = vi.fn(async () => to('https://home.example/'))
  const all = new CatchAlls(fetch)
  await Promise.all(['a', 'b', 'c'].map((code) => all.answersAnyCode(UPSTREAM, shortUrl(code), 'https://example.com/')))
  await all.answersAnyCode(UPSTREAM, shortUrl('d'), 'https://example.com/')
  expect(fetch).toHaveBeenCalledTimes(1)
  // Another domain, another name for it, and what lies deeper.
  await all.answersAnyCode(UPSTREAM, new URL('https://other.example/a'), 'https://example.com/')
  await all.answersAnyCode({ ...UPSTREAM, host: 'was.example' }, shortUrl('a'), 'https://example.com/')
  await all.answersAnyCode(UPSTREAM, shortUrl('a/b'), 'https://example.com/')
  expect(fetch).toHaveBeenCalledTimes(4)
  expect(await has(() => ({ kind: 'failed', why: 'timeout' }), 'a', 'https://example.com/')).toBeNull()
})
