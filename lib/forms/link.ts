import type { z } from 'zod'
import { customCodeProblem, normalCode } from '@/lib/codes/custom'
import { say, type Writer } from '@/lib/i18n/message'
import type { CreateLink, LinkView, UpdateLink } from '@/lib/links/schemas'
import { completeAddress, textOf } from './fields'
import { checked, destinationProblem, type Read } from './read'

/**
 * What a form says of a link, as text by field: of one that nobody has said anything about yet. A password is never known;
 * what becomes of one that is set is `passwordStep`: `keep`, `change` or `remove`.
 */
export const NEW_LINK = {
  url: '',
  code: '',
  domain: '',
  title: '',
  startsAt: '',
  expiresAt: '',
  maxClicks: '',
  password: '',
  expiredUrl: '',
  redirectStatus: '302',
  enabled: 'on',
  listed: 'off',
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
const isOn: Meaning = (text) => text === 'on'

/** What the text of each field is to the API. */
const MEANINGS: Record<LinkField, Meaning> = {
  url: completeAddress,
  code: trimmed,
  domain: trimmed,
  title: trimmed,
  startsAt: time,
  expiresAt: time,
  maxClicks: (text) => (text.trim() === '' ? null : number(text)),
  password: (text) => text || null,
  expiredUrl: (text) => completeAddress(text) || null,
  redirectStatus: number,
  enabled: isOn,
  listed: isOn,
}

/** A link as the texts of its fields. @param showTime the text of a time, as its input shows it */
export const textsOf = (view: LinkView, showTime: (iso: string | null) => string): LinkTexts => ({
  ...NEW_LINK,
  url: view.url,
  title: view.title,
  startsAt: showTime(view.startsAt),
  expiresAt: showTime(view.expiresAt),
  maxClicks: String(view.maxClicks ?? ''),
  expiredUrl: view.expiredUrl ?? '',
  redirectStatus: String(view.redirectStatus),
  enabled: view.state === 'disabled' ? 'off' : 'on',
  listed: view.listed ? 'on' : 'off',
})

/** What a form says that `before` did not: a field that it lacks, or that is off, says nothing. */
function changesOf(data: FormData, before: LinkTexts, timeOf: TimeOf): Record<string, unknown> {
  const changes: Record<string, unknown> = {}
  for (const name of Object.keys(NEW_LINK) as LinkField[]) {
    if (!data.has(name)) continue
    const meaning = MEANINGS[name](textOf(data, name), timeOf)
    if (meaning !== MEANINGS[name](before[name], timeOf)) changes[name] = meaning
  }
  if (textOf(data, 'passwordStep') === 'remove') changes.password = null
  return changes
}

/** A new link. What is left as it is gets the server's defaults. */
export function readNewLink(data: FormData, timeOf: TimeOf, write: Writer): Read<z.input<typeof CreateLink>> {
  const changes = changesOf(data, NEW_LINK, timeOf) as Partial<z.input<typeof CreateLink>>
  const { url = '', code, expiresAt } = changes
  const problems = {
    url: destinationProblem(url),
    code: code ? customCodeProblem(normalCode(code)) : null,
    expiresAt: expiresAt && Date.parse(expiresAt) <= Date.now() ? say('forms.future') : null,
  }
  return checked({ ...changes, url }, problems, write)
}

/** What is changed about a link, for the API to judge. */
export const readLinkChanges = (data: FormData, before: LinkTexts, timeOf: TimeOf): z.input<typeof UpdateLink> =>
  changesOf(data, before, timeOf)
