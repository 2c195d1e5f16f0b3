import { z } from 'zod'

/** Names one link, together with the code in the path. */
export const AddressQuery = z.strictObject({
  domain: z.string().max(253).optional().meta({ description: 'Host of the short URL; the default domain if left out.' }),
})
