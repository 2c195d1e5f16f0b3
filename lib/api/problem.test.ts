import { expect, it } from 'vitest'
import { localeOf } from '@/lib/i18n/languages'
import { problem } from './problem'

it('a transaction that others were in the way of, again and again, may be tried again by the caller: 503, not 500', async () => {
  const locale = localeOf(new Headers())
  for (const errno of [1213, 1205]) {
    const answer = problem({ errno, message: 'try restarting transaction' }, locale)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
  }
  expect(problem({ errno: 1146, message: 'no such table' }, locale).status).toBe(500)
})
