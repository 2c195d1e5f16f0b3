import { describe, expect, it } from 'vitest'
import { meaningOf } from './meaning'

const asked = { url: new URL('http://192.0.2.7:8080/spring'), shortUrl: new URL('https://go.example/spring'), host: 'go.example' }
const isOwn = (href: string) => new URL(href).hostname === 'go.example'
const meaning = (status: number, location?: string) => meaningOf({ status, location }, asked, isOwn)

describe('an answer of an old shortener', () => {
  it.each([301, 302, 303, 307, 308] as const)('with %i and an address elsewhere is a link', (status) => {
    expect(meaning(status, 'https://example.com/a')).toEqual({
      ...{ kind: 'redirect', status, location: 'https://example.com/a', isOwn: false },
    })
  })

  it('has its address read as WHATWG does, and in UTF-8 where it was sent as such', () => {
    expect(meaning(302, 'https://example.com')).toMatchObject({ location: 'https://example.com/' })
    const raw = Buffer.from('https://example.com/ä').toString('latin1')
    expect(meaning(302, raw)).toMatchObject({ location: 'https://example.com/%C3%A4' })
    expect(meaning(302, 'myapp://open')).toMatchObject({ kind: 'redirect', location: 'myapp://open' })
  })

  it('is none where it leads to a front page: many answer a code that they do not know so', () => {
    for (const location of ['/', 'https://go.example', 'http://go.example/', 'http://192.0.2.7:8080/']) {
      expect(meaning(302, location), location).toEqual({ kind: 'unknown' })
    }
  })

  it('leads round where it leads to itself, by https or with a slash', () => {
    for (const location of [
      '/spring',
      'https://go.example/spring/',
      'http://go.example/spring',
      'http://192.0.2.7:8080/spring',
    ]) {
      expect(meaning(301, location), location).toEqual({ kind: 'failed', why: 'loop' })
    }
    expect(meaning(508)).toEqual({ kind: 'failed', why: 'loop' })
  })

  it('to another short link of the same domain is passed on, and is no link of ours', () => {
    expect(meaning(302, '/summer')).toEqual({
      ...{ kind: 'redirect', status: 302, location: 'https://go.example/summer', isOwn: true },
    })
  })

  it('that names its own address is passed on by ours, without the path that its codes lie below', () => {
    const own = (location: string) => ({ kind: 'redirect', status: 302, location, isOwn: true })
    expect(meaning(302, 'http://192.0.2.7:8080/summer?x=1#y')).toEqual(own('https://go.example/summer?x=1#y'))
    const deep = { ...asked, url: new URL('http://192.0.2.7:8080/s/spring'), host: 'was.example' }
    const of = (location: string) => meaningOf({ status: 302, location }, deep, isOwn)
    expect(of('http://192.0.2.7:8080/s/summer')).toEqual(own('https://go.example/summer'))
    expect(of('http://was.example/s/summer')).toEqual(own('https://go.example/summer'))
    expect(of('http://192.0.2.7:8080//evil.example/')).toEqual(own('https://go.example//evil.example/'))
    for (const home of ['http://was.example/', 'http://192.0.2.7:8080/s/', 'http://192.0.2.7:8080/s']) {
      expect(of(home), home).toEqual({ kind: 'unknown' })
    }
    expect(of('http://192.0.2.7:8080/s/spring/')).toEqual({ kind: 'failed', why: 'loop' })
  })

  it.each([404, 410, 400, 405, 451, 200, 204])('%i says that it has no such link', (status) => {
    expect(meaning(status)).toEqual({ kind: 'unknown' })
  })

  it.each([401, 403, 407, 408, 421, 425, 426, 429, 500, 502, 503, 300, 304, 101, 0])('%i says nothing of the code', (status) => {
    expect(meaning(status)).toEqual({ kind: 'failed', why: 'status' })
  })

  it('without an address, or with none that can be read, says nothing either', () => {
    expect(meaning(302)).toEqual({ kind: 'failed', why: 'status' })
    expect(meaning(302, 'http://')).toEqual({ kind: 'failed', why: 'status' })
  })
})
