import { z } from 'zod'
import { issue } from '@/lib/tools/issues'
import { line, lines, toLine } from '@/lib/tools/line'
import { ID } from '@/lib/tools/schema'
import { nameKeyOf, normalName } from './names'
import { MOST_COMMENT, MOST_NAME, MOST_TAGS } from './values'

/** The name of a tag or folder. Without commas, which separate them in CSV and in forms. */
export const LabelName = line(200)
  .overwrite(normalName)
  .min(1, issue('forms.label.none'))
  .max(MOST_NAME)
  .refine((name) => !name.includes(','), issue('forms.label.comma'))
  .meta({ minLength: 1, maxLength: MOST_NAME, example: 'Spring' })

/** Of names that differ in case alone the first counts. */
const unique = (names: string[]) => [...new Map(names.toReversed().map((name) => [nameKeyOf(name), name])).values()].toReversed()

/** How an account files a link: of no effect on the link. */
export const filing = {
  tags: z
    .array(LabelName)
    .max(100)
    .overwrite(unique)
    .refine((tags) => tags.length <= MOST_TAGS, issue('forms.label.tooMany', { most: MOST_TAGS }))
    .meta({
      maxItems: MOST_TAGS,
      description: `Up to ${MOST_TAGS} tags. Case doesn’t matter, and a tag that’s new is created. Requires an account, as do the other fields that only you can see: \`folder\`, \`comment\`, \`archived\`, and \`favorite\`.`,
      example: ['Spring', 'Newsletter'],
    }),
  folder: LabelName.nullable().meta({
    type: ['string', 'null'],
    description: 'The folder the link is in. A folder that’s new is created. If null, it’s in none.',
  }),
  comment: lines(MOST_COMMENT).meta({ description: 'What you want to remember about the link. Only you can see it.' }),
  archived: z.boolean().meta({ description: 'Whether the link is left out of your list. It still redirects.' }),
  favorite: z.boolean().meta({ description: 'Whether the link is one of your favorites.' }),
}

export const FILING_FIELDS = Object.keys(filing) as (keyof typeof filing)[]
const Filing = z.object(filing)
export type Filing = z.output<typeof Filing>

/** The fields that hold how a link is filed, as they are answered: to its owner alone. */
export const filingView = z
  .object({
    tags: z.array(z.string()),
    folder: z.string().nullable(),
    comment: z.string(),
    archived: z.boolean(),
    favorite: z.boolean(),
  })
  .partial().shape

/** A name that shows nothing asks for no label that can be. Only one that is empty is left out, as a form sends it. */
const isNamed = (name: string) => toLine(normalName(name)) !== ''
const asked = () => z.string().refine((name) => name === '' || isNamed(name), { error: issue('forms.label.none'), abort: true })

/** By what of this a list is filtered. */
export const filingQuery = {
  tag: asked().trim().max(200).optional().meta({ description: 'Only links with this tag.' }),
  folder: asked().trim().max(200).optional().meta({ description: 'Only links in this folder.' }),
  archived: z.enum(['true', 'any']).optional().meta({
    description: 'Only archived links, or `any` for these and all others. By default, archived links are left out.',
  }),
  favorite: z.enum(['true']).optional().meta({ description: 'Only your favorites.' }),
}
export type FilingQuery = { [K in keyof typeof filingQuery]?: z.output<(typeof filingQuery)[K]> }

export const LabelId = z.string().regex(ID, issue('forms.label.id'))

export const LabelView = z
  .object({ id: LabelId, name: z.string().meta({ example: 'Spring' }) })
  .meta({ id: 'Label', description: 'A tag or folder.' })
export type LabelView = z.infer<typeof LabelView>

export const Labels = z
  .object({ tags: z.array(LabelView), folders: z.array(LabelView) })
  .meta({ id: 'Labels', description: 'The tags and folders of an account, by name.' })
export type Labels = z.infer<typeof Labels>

export const RenameLabel = z.strictObject({ name: LabelName }).meta({ id: 'RenameLabel' })
