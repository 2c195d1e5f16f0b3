// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are variables of other languages

import fc from 'fast-check'
import type { StaticLink } from '@/lib/leaving/static-link'

/** What some format gives a meaning of its own. */
const MARKS = [
  '"',
  "'",
  '\\',
  '$',
  '${x}',
  '#',
  '{',
  '}',
  '%',
  '%1',
  '%{HTTP_HOST}',
  ';',
  ',',
  '&',
  '<',
  '>',
  '--',
  '|',
  '*',
  ':splat',
]
const PARTS = [...MARKS, 'a', 'B', '0', ' ', 'ä', '日', '🎉', '`id`', '$(id)', '?', '=', '+', '~', '.', '!', '\\t', '\\n', '@']

const text = (most: number) => fc.array(fc.constantFrom(...PARTS), { maxLength: most }).map((parts) => parts.join(''))

const url = fc
  .tuple(
    fc.constantFrom('http', 'https'),
    fc.constantFrom('example.com', 'bücher.example:8443', '[2001:db8::1]'),
    text(8),
    text(8),
  )
  .map(([scheme, host, path, rest]) => new URL(`${scheme}://${host}/${path}?${rest}#${rest}`).href)

/** Codes as Terse and others make them. */
const code = fc
  .array(
    fc.constantFrom(
      'a',
      'B',
      'b',
      'ä',
      'Ä',
      '日',
      '👩‍🚀',
      '.',
      '~',
      '-',
      '_',
      '0',
      '/',
      '$',
      '*',
      "'",
      '(',
      ';',
      '=',
      '&',
      ':',
      '@',
      '+',
    ),
    { minLength: 1, maxLength: 9 },
  )
  .map((parts) => `x${parts.join('')}x`.replace(/\/+/g, '/'))

/** Links as a set may have to carry them. */
export const staticLink: fc.Arbitrary<StaticLink> = fc.record({
  host: fc.constantFrom('go.example', 'xn--bcher-kva.example'),
  code,
  url,
  status: fc.constantFrom(301, 302, 307, 308),
  isFolded: fc.constant(false),
  startsAt: fc.constant(null),
  expiresAt: fc.constant(null),
  expiredUrl: fc.constant(null),
})

/** One, with what is given in place of its defaults. */
export const linkOf = (given: Partial<StaticLink> = {}): StaticLink => ({
  host: 'go.example',
  code: 'abc',
  url: 'https://example.com/',
  status: 302,
  isFolded: false,
  startsAt: null,
  expiresAt: null,
  expiredUrl: null,
  ...given,
})
