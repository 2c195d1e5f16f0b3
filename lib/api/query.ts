import { z } from 'zod'

/** Names one link, together with the code in the path. */
export const AddressQuery = z.strictObject({
  domain: z.string().max(253).optional().meta({ description: 'Host of the short URL; the default domain if left out.' }),
})

export const ListQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(50).meta({ description: 'Links on a page.', type: 'integer' }),
  cursor: z.string().optional().meta({ description: '`nextCursor` of the page before.' }),
})
