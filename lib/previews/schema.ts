import { z } from 'zod'
import { issue } from '@/lib/tools/issues'
import { line } from '@/lib/tools/line'
import { MOST_DESCRIPTION, MOST_TITLE } from './values'

/** The contract of what apps show of a link: as the API takes and shows it, and as it is stored. */

const FromDestination = z.strictObject({ source: z.literal('destination') })

/** As it is shown. */
export const previewShape = z.discriminatedUnion('source', [
  FromDestination,
  z.strictObject({
    source: z.literal('custom'),
    title: z.string(),
    description: z.string(),
    image: z.url().nullable(),
  }),
])

/** As it is taken. @param destination what may stand where a link leads: the image is held to the same */
export function previewSchema(destination: z.ZodType<string>) {
  const Custom = z.strictObject({
    source: z.literal('custom'),
    title: line(MOST_TITLE).min(1).meta({ description: 'What the card is headed.' }),
    description: line(MOST_DESCRIPTION).default('').meta({ description: 'A sentence or two below the title.' }),
    // Whatever else a link can lead to: apps ask for it as for any picture.
    image: destination
      .refine((url) => /^https?:/.test(url), issue('forms.field.wrong'))
      .nullable()
      .default(null)
      .meta({
        description: 'An http or https URL of a picture, 1200 × 630 pixels or so. If null, the card has none.',
      }),
  })
  return z.discriminatedUnion('source', [FromDestination, Custom]).nullable().meta({
    description:
      'What messengers and social networks show of the link. `destination`: title, description, and image of the page it leads to, fetched once. `custom`: what you write, which the link’s preview page marks as yours. If null, these apps are redirected like everyone else. Requires an account.',
  })
}
