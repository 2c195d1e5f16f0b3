import { z } from 'zod'
import { nameKeyOf, normalName } from '@/lib/labels/names'
import { issue } from '@/lib/tools/issues'
import { line } from '@/lib/tools/line'
import { ID } from '@/lib/tools/schema'
import { MOST_TEMPLATE_NAME, MOST_UTM, UTM_NAMES } from './values'

/** The contract of UTM templates. The page takes its types, and never the schemas with their zod. */

const name = line(200)
  .overwrite(normalName)
  .min(1, issue('forms.name'))
  .max(MOST_TEMPLATE_NAME)
  .refine((text) => nameKeyOf(text).length <= 150, issue('forms.field.tooLong', { most: MOST_TEMPLATE_NAME }))
  .meta({ minLength: 1, maxLength: MOST_TEMPLATE_NAME, example: 'Newsletter' })

const value = (of: string) => line(MOST_UTM).meta({ description: `The value of \`utm_${of}\`. If empty, it’s left out.` })
const values = {
  source: value('source'),
  medium: value('medium'),
  campaign: value('campaign'),
  term: value('term'),
  content: value('content'),
}

export const CreateUtmTemplate = z
  .strictObject({ name, ...z.object(values).partial().shape })
  .refine((template) => UTM_NAMES.some((one) => template[one]), issue('forms.utm.empty'))
  .meta({ id: 'CreateUtmTemplate', description: 'The template to create, with at least one value.' })

export const UpdateUtmTemplate = z
  .strictObject({ name, ...values })
  .partial()
  .refine((body) => Object.keys(body).length > 0, issue('forms.nothing'))
  .meta({ id: 'UpdateUtmTemplate', description: 'The fields to edit. Fields you leave out stay as they are.' })

export const UtmTemplateView = z
  .object({ id: z.string().regex(ID), name: z.string(), ...values })
  .meta({ id: 'UtmTemplate', description: 'UTM parameters under a name, to add them to destinations.' })

export const UtmTemplates = z.object({ templates: z.array(UtmTemplateView) }).meta({ id: 'UtmTemplates' })

export type CreateUtmTemplate = z.output<typeof CreateUtmTemplate>
export type UpdateUtmTemplate = z.output<typeof UpdateUtmTemplate>
export type UtmTemplateView = z.infer<typeof UtmTemplateView>
