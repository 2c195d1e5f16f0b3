import { beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { passwordTrouble } from '@/lib/accounts/common-passwords'
import { UpdateAccount, Username } from '@/lib/accounts/schemas'
import { hostOfLine, normaliseRule } from '@/lib/blocklist/rules'
import { isPreviewFetcher, previewName } from '@/lib/clicks/enrich/previews'
import { readVisit } from '@/lib/clicks/visit'
import { codeProblem, normalCode } from '@/lib/codes/custom'
import { codeProblemOn } from '@/lib/codes/on-domain'
import { completeAddress } from '@/lib/forms/fields'
import { readNewLink } from '@/lib/forms/link'
import { readEmail, readPerson, readReport, readSpoken, timeInUtc } from '@/lib/forms/read'
import { sharedAddress } from '@/lib/forms/shared'
import { negotiate } from '@/lib/i18n/languages'
import { asText, say } from '@/lib/i18n/message'
import { BulkLinks } from '@/lib/links/bulk-schemas'
import { fieldsOf } from '@/lib/links/properties'
import { CreateLink, SpokenInput, UpdateLink } from '@/lib/links/schemas'
import { parsePath } from '@/lib/redirect/path'
import { CreateReport } from '@/lib/reports/schemas'
import { withQuery } from '@/lib/routing/query'
import { fold, textOf } from '@/lib/search/text'
import { foundBy, SHOWN } from '@/lib/tools/issues'
import { parseUrl } from '@/lib/tools/url'

/**
 * Anyone can send a text as long as a request may be. What takes the square of its length would keep every redirect waiting, so
 * what is slow is only done to what is short.
 */

/** As much as a body has room for: 64 KB in UTF-8. */
const MARKS = `a${'\u0300'.repeat(16_000)}${'\u0316'.repeat(16_000)}`
const IDEOGRAPHS = String.fromCodePoint(...Array.from({ length: 20_000 }, (_, i) => 0x4e00 + i))
const TAIL = `abcdefghij${'1'.repeat(62_000)}a`
const DOTS = `a@${'.'.repeat(63_000)}@`
const COLONS = `${':'.repeat(60_000)}x`
const BESIDE = { email: 'ada@example.com', name: 'Ada', handle: '12345678', baseUrl: 'https://go.example.org' }

function dataOf(fields: Record<string, string>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  return data
}

const tooLong = (most: number) => asText(say('forms.field.tooLong', { most }))

/** What a schema finds wrong with a value, by its path. */
function wrongWith(schema: z.ZodType, value: unknown): Record<string, string> {
  const { error } = schema.safeParse(value, SHOWN)
  return Object.fromEntries(error ? foundBy(error).map(({ path, message }) => [path, asText(message)]) : [])
}

const readLink = (fields: Record<string, string>) => readNewLink(dataOf(fields), timeInUtc, asText)
const PERSON = { name: 'Ada', email: 'ada@example.com', password: 'correct horse' }
const PLAIN = { url: 'https://example.com/' }
const report = (fields: object) => ({ shortUrl: 'a', reason: 'spam', ...fields })

const WORK: Record<string, (() => unknown)[]> = {
  'the code of a new link': [
    () => CreateLink.safeParse({ ...PLAIN, code: MARKS }),
    () => CreateLink.safeParse(fieldsOf({ ...PLAIN, code: MARKS })),
    () => readLink({ ...PLAIN, code: MARKS }),
    () => codeProblem(normalCode(MARKS)),
    () => codeProblemOn(normalCode(MARKS), { isBase: true, spoken: true }),
    () => parsePath(`/${encodeURIComponent(MARKS)}`),
  ],
  'a destination': [
    () => completeAddress(`${IDEOGRAPHS}.example`),
    () => readLink({ url: `${IDEOGRAPHS}.example` }),
    () => readLink({ ...PLAIN, expiredUrl: `https://${IDEOGRAPHS}.example` }),
    () => readSpoken(dataOf({ url: `//${IDEOGRAPHS}`, digits: '4', ttl: '3600' }), asText),
    () => CreateLink.safeParse({ url: `https://${IDEOGRAPHS.slice(0, 8_000)}.example` }),
    () => UpdateLink.safeParse({ expiredUrl: `https://${IDEOGRAPHS.slice(0, 8_000)}.example` }),
    () => SpokenInput.safeParse({ url: `https://${MARKS.slice(0, 4_000)}${MARKS.slice(-4_000)}.example` }),
  ],
  'a search': [
    () => BulkLinks.safeParse({ action: 'delete', matching: { q: MARKS } }),
    () => fold(MARKS),
    () => textOf({ code: 'a', title: '', url: `https://a.example/${'%CC%80'.repeat(680)}${'%CC%96'.repeat(680)}` }),
  ],
  'a query that is passed on': ['%&', '%ff&', '+&', '%C3%BC=&', 'a=%&'].flatMap((piece) => {
    const many = piece.repeat(15_000 / piece.length)
    return [
      () => withQuery('https://a.example/', `?${many}`, 'forward'),
      () => withQuery(`https://a.example/?${many}`, `?${many}`, 'override'),
    ]
  }),
  'a header': [
    () => negotiate('en-,'.repeat(3_700)),
    () => isPreviewFetcher(readVisit(['User-Agent', 'Iframely/x'.repeat(1_500)], undefined).userAgent ?? ''),
    () => previewName(readVisit(['User-Agent', 'Iframely/x'.repeat(1_500)], undefined).userAgent ?? ''),
  ],
  'a username': [() => UpdateAccount.safeParse({ username: MARKS }), () => Username.safeParse(MARKS)],
  'a password': [() => passwordTrouble(TAIL, BESIDE), () => passwordTrouble(MARKS, BESIDE)],
  'an address of mail': [
    () => readEmail(dataOf({ email: DOTS }), asText),
    () => readPerson(dataOf({ ...PERSON, email: DOTS }), asText),
    () => readReport(dataOf({ shortUrl: 'a', reason: 'spam', email: DOTS }), asText),
    () => CreateReport.safeParse(report({ email: DOTS })),
  ],
  'a shared text': [
    () => sharedAddress({ text: `x https://a${'.'.repeat(60_000)}a y` }),
    () => sharedAddress({ title: `(https://a${')'.repeat(60_000)}a` }),
    () => sharedAddress({ url: `https://${IDEOGRAPHS}` }),
  ],
  'a rule, or a line of a list of hosts': [
    () => normaliseRule('host', COLONS),
    () => normaliseRule('word', MARKS),
    () => normaliseRule('client', COLONS),
    () => hostOfLine(COLONS),
    () => hostOfLine(`${'#'.repeat(60_000)}\u2028`),
    () => hostOfLine(IDEOGRAPHS),
  ],
}

/** Of the processor, in ms: what others do on this machine does not count. */
async function cost(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}

describe('a text as long as a request takes little time', () => {
  // What is loaded when it is first asked for.
  beforeAll(() => passwordTrouble('correct horse', BESIDE))

  it.each(Object.entries(WORK))('as %s', async (_, works) => {
    const costs: number[] = []
    for (const work of works) costs.push(await cost(work))
    expect(costs.filter((ms) => ms > 100)).toEqual([])
  })
})

describe('a text that is too long is refused for that', () => {
  it.each<[string, z.ZodType, object, Record<string, string>]>([
    ['a code', CreateLink, { ...PLAIN, code: MARKS }, { code: tooLong(128) }],
    ['a username', UpdateAccount, { username: MARKS }, { username: tooLong(60) }],
    ['a search', BulkLinks, { action: 'delete', matching: { q: MARKS } }, { 'matching.q': tooLong(200) }],
    ['a destination', CreateLink, { url: `https://${IDEOGRAPHS}.example` }, { url: tooLong(8192) }],
  ])('%s', (_, schema, value, wrong) => {
    expect(wrongWith(schema, value)).toEqual(wrong)
  })

  it('and a code that is as long as it may be is taken, however its letters are written', () => {
    for (const letter of ['\u1f82', '\uac01', '\u1e17', '\u{114bc}']) {
      const code = letter.repeat(128)
      const written = code.normalize('NFD')
      expect(written.length).toBeGreaterThan(code.length)
      expect(CreateLink.parse({ ...PLAIN, code: written }).code).toBe(code.normalize('NFC'))
      expect(wrongWith(CreateLink, { ...PLAIN, code: written + letter.normalize('NFD') })).toHaveProperty('code')
    }
  })
})

describe('the host of a URL', () => {
  it.each([
    ['https://', ''],
    ['HTTPS:', ''],
    ['\u0001 ht\ntps:/\t/\\', ''],
    ['https://user:', '@a.example'],
    ['wss://', '.example/path'],
  ])('that is longer than any is not read: %j', async (before, after) => {
    const text = before + IDEOGRAPHS + after
    expect(await cost(() => expect(parseUrl(text)).toBeNull())).toBeLessThan(100)
  })

  it('is read however long the rest is', () => {
    const long = IDEOGRAPHS.slice(0, 5_000)
    for (const text of [
      `https://a.example/${long}`,
      `https://a.example?${long}`,
      `https:a.example#${long}`,
      `mailto:${long}@a.example`,
    ]) {
      expect(parseUrl(text)).not.toBeNull()
    }
    expect(parseUrl(`/${long}`, 'https://a.example')?.host).toBe('a.example')
    expect(parseUrl(`//${IDEOGRAPHS}`, 'https://a.example')).toBeNull()
    expect(parseUrl(`https://${'a'.repeat(60)}.${'ü'.repeat(50)}.example`)).not.toBeNull()
  })
})
