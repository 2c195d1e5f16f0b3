import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { listLabels } from '@/lib/labels/labels'
import type { Labels, LabelView } from '@/lib/labels/schemas'
import type { ForeignCall } from '../dialect'

/** IDs, with what they are of before them, as there: `link_117093590311632896`. They are taken without it, too. */
export type Named = 'link' | 'tag' | 'fold' | 'dom' | 'user' | 'ws'

export const idOf = (what: Named, id: bigint | number | string) => `${what}_${id}`

/** The number in an ID; null for what is none of ours. */
export function numberIn(what: Named, id: string): bigint | null {
  const [, digits] = /^(?:[a-z]+_)?(\d{1,19})$/.exec(id.startsWith(`${what}_`) || /^\d/.test(id) ? id : '') ?? []
  const number = digits === undefined ? null : BigInt(digits)
  return number !== null && number < 2n ** 63n ? number : null
}

/** A list that came as such, as text with commas, or as neither. */
export function listIn(value: unknown): string[] | undefined {
  if (value === undefined || value === null) return undefined
  const list = Array.isArray(value) ? value : String(value).split(',')
  return list.map((one) => String(one).trim()).filter((one) => one !== '')
}

/** The tags and folders of an account, by ID and by name: links name theirs by name alone. */
export class KnownNames {
  private constructor(private readonly labels: Labels) {}

  static async of({ ctx, account }: Pick<ForeignCall, 'ctx' | 'account'>): Promise<KnownNames> {
    return new KnownNames(await listLabels(ctx, account.id))
  }

  tag = (name: string) => this.labels.tags.find((one) => one.name === name)
  folder = (name: string) => this.labels.folders.find((one) => one.name === name)

  /** @throws TerseError 'validation_failed' naming the field */
  tagNamed = (id: string, field: string): string => named('tag', this.labels.tags, id, field)
  folderNamed = (id: string, field: string): string => named('fold', this.labels.folders, id, field)
}

function named(what: 'tag' | 'fold', labels: readonly LabelView[], id: string, path: string): string {
  const number = numberIn(what, id)
  const label = labels.find((one) => one.id === String(number))
  if (label) return label.name
  const message = say('api.label.none')
  throw new TerseError('validation_failed', message, { errors: [{ path, message }] })
}
