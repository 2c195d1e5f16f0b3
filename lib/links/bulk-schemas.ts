import { z } from 'zod'
import { JobNumber } from '@/lib/jobs/schemas'
import { LabelName } from '@/lib/labels/schemas'
import { MOST_TAGS } from '@/lib/labels/values'
import { allTermsOf, MAX_TERMS } from '@/lib/search/text'
import { issue } from '@/lib/tools/issues'
import { line } from '@/lib/tools/line'
import { FILING, LinkId, ListAllLinks, ListLinks } from './schemas'
import { BULK_ACTIONS, FILING_ACTIONS } from './values'

/** The contract of what is done to many links at once. */

/** Nobody means all links by leaving everything out, nor by a filter that every link passes. */
interface Narrowing {
  q?: string | undefined
  minClicks?: number | undefined
  archived?: string | undefined
}
function isNarrow({ q = '', minClicks = 0, archived, ...filters }: Narrowing): boolean {
  if (archived === 'true') return true
  if (allTermsOf(q).length > 0 || minClicks > 0) return true
  return Object.values(filters).some((filter) => filter !== undefined && filter !== '')
}
const NOT_NARROW = { error: issue('forms.filter') }

function namesLinks({ ids, matching, deletedBy }: { ids?: unknown; matching?: unknown; deletedBy?: unknown }): boolean {
  return [ids, matching, deletedBy].filter((which) => which !== undefined).length === 1
}
const NAMES_NONE = { error: issue('forms.whichLinks') }

const ids = z
  .array(LinkId)
  .min(1, issue('forms.selectLink'))
  .max(1000, issue('forms.selectFewer', { most: 1000 }))

/** Which links, by what the list of them is asked with. */
const MATCHING = { q: true, state: true, kind: true, from: true, to: true, minClicks: true, maxClicks: true } as const
const describeMatching = {
  description:
    'All links that match these filters, except those created or deleted after this request. Use this instead of `ids`.',
}
/**
 * These come as JSON and not as text, so nothing is converted: `null` would become 0. A list may leave terms out, since it shows
 * what it found; here this would reach more links than were asked for.
 */
const strictFilters = {
  q: z
    .string()
    .trim()
    // Terms are read of no longer text, here or by `isNarrow`.
    .max(200, { abort: true })
    .refine((q) => allTermsOf(q).length <= MAX_TERMS, issue('forms.terms', { most: MAX_TERMS }))
    // Whoever sends it means to narrow by it, whatever else does.
    .refine((q) => allTermsOf(q).length > 0, { error: issue('forms.code.none'), abort: true })
    .optional()
    .meta({ description: `As for listing links, with up to ${MAX_TERMS} search terms.` }),
  minClicks: z.int().min(0).optional(),
  maxClicks: z.int().min(0).optional(),
}
/** The same of a label: a list takes an empty name for none. */
const named = (label: typeof ListLinks.shape.tag) =>
  label.refine((name) => name !== '', { error: issue('forms.label.none'), abort: true })
/** Links of one's own, by filters. */
export const MatchingLinks = ListLinks.pick({ ...MATCHING, ...FILING })
  .extend(strictFilters)
  .extend({ tag: named(ListLinks.shape.tag), folder: named(ListLinks.shape.folder) })
  .refine(isNarrow, NOT_NARROW)
const matching = MatchingLinks.optional().meta(describeMatching)
const adminMatching = ListAllLinks.pick({ ...MATCHING, owner: true, domain: true })
  .extend(strictFilters)
  .refine(isNarrow, NOT_NARROW)
  .optional()
  .meta(describeMatching)

const deletedBy = JobNumber.optional().meta({
  description: 'The links that this job deleted, and nobody restored since: with `restore`, this undoes the job.',
})

/** What filing many links takes besides. */
const filed = {
  tags: z.array(LabelName).min(1).max(MOST_TAGS).optional().meta({ description: 'The tags that `tag` adds or `untag` removes.' }),
  folder: LabelName.nullable()
    .optional()
    .meta({
      type: ['string', 'null'],
      description: 'The folder that `move` puts the links in. If null, they’re in none.',
    }),
}
const bulkFields = z.strictObject({
  action: z.enum([...BULK_ACTIONS, ...FILING_ACTIONS]),
  ids: ids.optional(),
  matching,
  deletedBy,
  ...filed,
})
export const BulkLinks = bulkFields
  .refine(namesLinks, NAMES_NONE)
  .refine(({ action, tags }) => (tags !== undefined) === (action === 'tag' || action === 'untag'), {
    path: ['tags'],
    error: issue('forms.label.tagsOfAction'),
  })
  .refine(({ action, folder }) => (folder !== undefined) === (action === 'move'), {
    path: ['folder'],
    error: issue('forms.label.folderOfAction'),
  })
  .meta({ id: 'BulkLinks', description: 'An action on multiple links. Pass one of `ids`, `matching`, and `deletedBy`.' })

/** Its fields alone; `AdminBulkLinks` asks that links are named by them. */
export const AdminBulkFields = z.strictObject({
  action: z.enum([...BULK_ACTIONS, 'ban', 'unban']),
  ids: ids.optional(),
  matching: adminMatching,
  deletedBy,
  reason: line(255).default('').meta({ description: 'Why the link is banned. Visitors can see this.' }),
})
export const AdminBulkLinks = AdminBulkFields.refine(namesLinks, NAMES_NONE).meta({ id: 'AdminBulkLinks' })

/** What a job is given: all that either can ask for. */
export const BulkJobFields = AdminBulkFields.extend({
  action: z.enum([...BULK_ACTIONS, ...FILING_ACTIONS, 'ban', 'unban']),
  matching: ListLinks.pick({ ...MATCHING, ...FILING })
    .extend(strictFilters)
    .extend({ owner: ListAllLinks.shape.owner, domain: ListAllLinks.shape.domain })
    .optional(),
  ...filed,
})

export type BulkLinks = z.output<typeof BulkLinks>
export type AdminBulkLinks = z.output<typeof AdminBulkLinks>
