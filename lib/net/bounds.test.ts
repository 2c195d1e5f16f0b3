import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { inEnglish } from '@/lib/i18n/translate'
import { excessOf } from './bounds'

const asked = (url: string, cookie?: string) => {
  const excess = excessOf({ url, headers: { cookie } } as unknown as IncomingMessage)
  return excess && inEnglish(excess)
}
const names = (count: number, between: string) => Array.from({ length: count }, (_, i) => `n${i}=1`).join(between)

describe('what is too much for the framework to read', () => {
  it('is more than a hundred query parameters, wherever they are sent', () => {
    for (const path of ['/', '/sign-in', '/api/v1/links', '/api/nope', '/_next/static/x.js', '/.well-known/x']) {
      expect(asked(`${path}?${names(100, '&')}`)).toBeNull()
      expect(asked(`${path}?${names(101, '&')}`)).toContain('100 query parameters')
    }
    expect(asked(`/?${'&'.repeat(4_000)}`)).not.toBeNull()
  })

  it('is more than a hundred cookies', () => {
    expect(asked('/', names(100, '; '))).toBeNull()
    expect(asked('/', names(101, '; '))).toContain('100 cookies')
    expect(asked('/', names(101, ';'))).toContain('100 cookies')
  })

  it('is no long value, nor an ampersand before the query', () => {
    expect(asked(`/x?url=${'a'.repeat(15_000)}`)).toBeNull()
    expect(asked(`/${'&'.repeat(200)}?a=1`)).toBeNull()
    expect(asked('/')).toBeNull()
  })
})
