import { isTerseError, type TerseError } from '@/lib/errors'
import { isMessage, type Message, type MessageKey, say } from '@/lib/i18n/message'
import { type RowOutcome, refusedRow, shownTarget } from '@/lib/jobs/row-outcome'
import type { ImportResult } from '@/lib/jobs/values'
import { normaliseHost } from '@/lib/net/host'
import type { LinkContext } from './context'
import type { Created, Prepared } from './create-many'
import type { ImportRow } from './import-source'
import { fieldsOf } from './properties'

/** The line of the file that a row begins in; of rows that do not say, below a line of names. */
export const lineOf = (row: ImportRow | undefined, position: number) => row?.line ?? position + 2

/** What a row would be created as, or which link it would complete, as far as a dry run comes. */
export function wouldBe(prepared: Prepared): WouldBe | TerseError {
  if (isTerseError(prepared)) return prepared
  const { found, chosen, draft } = prepared
  // A code that is generated may be another one by then.
  if (chosen === null && found && !isTerseError(found)) return { fullShortUrl: shownTarget(draft.row.url) }
  if (!found) throw new Error('a link that has no code yet')
  if (isTerseError(found)) return found
  if ('link' in found) return found.link
  const { fullShortUrl, url } = found.completes
  return { fullShortUrl, ...completes('check', url, draft.row.url) }
}

export interface WouldBe {
  fullShortUrl: string
  result?: ImportResult
  message?: Message
}

/** What is said of a row that completes a link, or would. @param from where it led before */
function completes(when: 'check' | 'done', from: string, url: string): Pick<WouldBe, 'result' | 'message'> {
  const message =
    from === url ? say('api.import.completed', { when }) : say('api.import.completedElsewhere', { when, from: cut(from) })
  return { result: 'completed', message }
}

/** Characters of a destination that a message tells. */
const SHOWN = 170
const cut = (text: string) => (text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text)

/** What a refusal is counted as; any other is `refused`. */
const RESULTS: Partial<Record<MessageKey, ImportResult>> = {
  'api.import.exists': 'exists',
  'api.import.duplicate': 'duplicate',
  'api.import.same': 'duplicate',
  'api.import.again': 'duplicate',
  'api.link.codeTaken': 'taken',
  'api.import.ofOthers': 'taken',
}

/** The refusal, where a suggestion goes with it. */
const reasonOf = ({ key, values }: Message): MessageKey =>
  key === 'api.import.suggest' && isMessage(values?.why) ? values.why.key : key

export function outcomeOf(
  ctx: Pick<LinkContext, 'domains'>,
  row: ImportRow = {},
  position: number,
  created: Created | WouldBe,
): RowOutcome {
  const line = lineOf(row, position)
  if (isTerseError(created)) {
    const result = RESULTS[reasonOf(created.said)] ?? 'refused'
    // Another row has the code of a duplicate.
    const wanted = result === 'duplicate' ? undefined : wantedBy(ctx, row)
    if (result !== 'exists') return { ...refusedRow(aboutOf(row), toldOf(created)), result, line, wanted }
    return { target: shownTarget(String(created.said.values?.link)), outcome: 'skipped', message: created.said, result, line }
  }
  // What does not come over is said nowhere else.
  const noted = row.note ? { message: row.note } : {}
  if ('fullShortUrl' in created) {
    const { fullShortUrl: target, ...come } = created
    return { target, outcome: 'done', result: 'created', ...come, ...noted, line }
  }
  const { id, version, fullShortUrl: target, url } = created.link
  const come = created.isNew ? {} : completes('done', created.from, url)
  return { target, outcome: 'done', result: 'created', ...come, ...noted, line, link: { id, version } }
}

/** The short link that a row asks for, as it is written there; none: it has no code. */
function wantedBy({ domains }: Pick<LinkContext, 'domains'>, row: ImportRow): string | undefined {
  const { code, domain } = fieldsOf(row)
  if (typeof code !== 'string') return undefined
  return `${typeof domain === 'string' ? normaliseHost(domain) : domains.defaultHost}/${code}`
}

/** Why a row is refused, with the name of its field, unless that is the code, which the row is named by. */
function toldOf({ code, said, errors = [] }: TerseError): Message {
  const path = errors[0]?.path ?? ''
  if (code !== 'validation_failed' || path === '' || path === 'code' || said.key === 'api.field') return said
  return say('api.field', { path, problem: said })
}

/** What a row is about where there is no link. */
const aboutOf = ({ code, url }: ImportRow) => code ?? url ?? ''
