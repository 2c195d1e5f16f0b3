import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { z } from 'zod'
import { SetupInput } from '@/lib/accounts/schemas'
import { asText } from '@/lib/i18n/message'
import { CreateLink, SpokenInput } from '@/lib/links/schemas'
import { CreateReport } from '@/lib/reports/schemas'
import { foundBy, SHOWN } from '@/lib/tools/issues'
import { completeAddress } from './fields'
import { readNewLink } from './link'
import { type Read, readEmail, readNewPassword, readPerson, readReport, readSpoken, timeInUtc } from './read'

/** A form filled in as it should be, and the schema by which the API judges what was read. */
interface Form {
  filled: Record<string, string>
  read: (data: FormData) => Read<object>
  schema: z.ZodType
}

const PERSON = { name: 'Mia', email: 'mia@example.com', password: 'correct horse' }
const FORMS: Record<string, Form> = {
  link: {
    filled: { url: 'https://example.com/', code: 'spring' },
    read: (data) => readNewLink(data, timeInUtc, asText),
    schema: CreateLink,
  },
  'spoken number': {
    filled: { url: 'https://example.com/', digits: '4', ttl: '3600' },
    read: (data) => readSpoken(data, asText),
    schema: SpokenInput,
  },
  report: {
    filled: { shortUrl: 'https://example.com/a', reason: 'spam', email: '' },
    read: (data) => readReport(data, asText),
    schema: CreateReport,
  },
  person: { filled: PERSON, read: (data) => readPerson(data, asText), schema: SetupInput.omit({ token: true }) },
  email: { filled: { email: PERSON.email }, read: (data) => readEmail(data, asText), schema: SetupInput.pick({ email: true }) },
  password: {
    filled: { password: PERSON.password },
    read: (data) => readNewPassword(data, asText),
    schema: SetupInput.pick({ password: true }),
  },
}

const typed = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
  fc.constantFrom(
    'example.com/a',
    'ftp://example.com',
    'https://a:b@example.com',
    'https://exa\u0007mple.com',
    'm@x.org',
    'mía@x.org',
  ),
  fc.constantFrom('mia@localhost', 'admin', '4821', 'a b', 'spam', 'x'.repeat(129), `https://example.com/${'x'.repeat(8200)}`),
)

const dataOf = (fields: Record<string, string>) => {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  return data
}

for (const [name, { filled, read, schema }] of Object.entries(FORMS)) {
  it(`refuses nothing of a ${name} that the API would take, and says what the API would say`, () => {
    const good = read(dataOf(filled))
    expect(good).toMatchObject({ ok: true })
    const fields = Object.keys(filled).filter((field) => field !== 'digits' && field !== 'ttl')
    fc.assert(
      fc.property(fc.constantFrom(...fields), typed, (field, text) => {
        const result = read(dataOf({ ...filled, [field]: text }))
        if (result.ok || !good.ok) return
        expect(Object.keys(result.failure.fields)).toEqual([field])
        const sent = field === 'url' ? completeAddress(text) : field === 'password' ? text : text.trim()
        if (sent === '') {
          expect(schema.safeParse({ ...good.value, [field]: sent }).success).toBe(false)
          return
        }
        const { error } = schema.safeParse({ ...good.value, [field]: sent }, SHOWN)
        const said = error && foundBy(error).find(({ path }) => path === field)?.message
        expect(said && asText(said)).toBe(result.failure.fields[field])
      }),
    )
  })
}
