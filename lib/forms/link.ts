import type { z } from 'zod'
import { codeProblem, normalCode } from '@/lib/codes/custom'
import { say, type Writer } from '@/lib/i18n/message'
import { namesIn } from '@/lib/labels/names'
import type { CreateLink, UpdateLink } from '@/lib/links/schemas'
import { completeAddress, textOf } from './fields'
import { previewMeaning } from './preview'
import { checked, destinationProblem, type Read } from './read'
import { routingIn } from './routing'

/**
 * What a form says of a link, as text by field: of one that nobody has said anything about yet. A password is never known;
 * what becomes of one that is set is `passwordStep`: `keep`, `change` or `remove`.
 */
export const NEW_LINK = {
  url: '',
  code: '',
  domain: '',
  title: '',
  tags: '',
  folder: '',
  comment: '',
  startsAt: '',
  expiresAt: '',
  maxClicks: '',
  password: '',
  expiredUrl: '',
  routing: '',
  preview: '',
  redirectStatus: '302',
  enabled: 'on',
  listed: 'off',
  publicHistory: 'on',
}

export type LinkField = keyof typeof NEW_LINK
export type LinkTexts = Readonly<Record<LinkField, string>>

/** What a typed time means, as an ISO time: a browser knows its zone. */
type TimeOf = (typed: string) => string | null

type Meaning = (text: string, timeOf: TimeOf) => unknown
const trimmed: Meaning = (text) => text.trim()
const time: Meaning = (text, timeOf) => timeOf(text)
/** What is no number is sent as it is, for the API to refuse: JSON would make it a null. */
const number = (text: string) => (Number.isNaN(Number(text)) ? text : Number(text))
/** What cannot be read is sent as it is, for the API to refuse. */
const rules: Meaning = (text) => (text === '' ? null : (routingIn(text) ?? text))
const isOn: Meaning = (text) => text === 'on'

/** What the text of each field is to the API. */
const MEANINGS: Record<LinkField, Meaning> = {
  url: completeAddress,
  code: trimmed,
  domain: trimmed,
  title: trimmed,
  tags: namesIn,
  folder: (text) => text.trim() || null,
  comment: trimmed,
  startsAt: time,
  expiresAt: time,
  maxClicks: (text) => (text.trim() === '' ? null : number(text)),
  password: (text) => text || null,
  expiredUrl: (text) => completeAddress(text) || null,
  routing: rules,
  preview: previewMeaning,
  redirectStatus: number,
  enabled: isOn,
  listed: isOn,
  publicHistory: isOn,
}

/** What a form says that `before` did not: a field that it lacks, or that is off, says nothing. */
function changesOf(data: FormData, before: LinkTexts, timeOf: TimeOf): Record<string, unknown> {
  const changes: Record<string, unknown> = {}
  for (const name of Object.keys(NEW_LINK) as LinkField[]) {
    if (!data.has(name)) continue
    const meaning = MEANINGS[name](textOf(data, name), timeOf)
    if (!isSame(meaning, MEANINGS[name](before[name], timeOf))) changes[name] = meaning
  }
  if (textOf(data, 'passwordStep') === 'remove') changes.password = null
  return changes
}

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** A new link. What is left as it is gets the server's defaults. */
export function readNewLink(data: FormData, timeOf: TimeOf, write: Writer): Read<z.input<typeof CreateLink>> {
  const changes = changesOf(data, NEW_LINK, timeOf) as Partial<z.input<typeof CreateLink>>
  const { url = '', code, expiresAt } = changes
  const problems = {
    url: destinationProblem(url),
    code: code ? codeProblem(normalCode(code)) : null,
    expiresAt: expiresAt && Date.parse(expiresAt) <= Date.now() ? say('forms.future') : null,
  }
  return checked({ ...changes, url }, problems, write)
}

/** What is changed about a link, for the API to judge. */
export const readLinkChanges = (data: FormData, before: LinkTexts, timeOf: TimeOf): z.input<typeof UpdateLink> =>
  changesOf(data, before, timeOf)
