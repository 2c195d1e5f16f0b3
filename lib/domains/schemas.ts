import { z } from 'zod'
import { issue } from '@/lib/tools/issues'
import { isoTime } from '@/lib/tools/schema'

const address = z
  .url({ protocol: /^https?$/ })
  .max(2048)
  .nullable()
export const CreateDomain = z.strictObject({ host: z.string().trim().min(1, issue('forms.domain')).max(253) })

export const UpdateDomain = z.strictObject({
  isDefault: z.literal(true).optional(),
  rootUrl: address.optional(),
  notFoundUrl: address.optional(),
})

export const DomainView = z.object({
  id: z.int(),
  host: z.string(),
  /** New links go there when no domain is named. */
  isDefault: z.boolean(),
  /** The host of BASE_URL: it cannot be removed. */
  isBase: z.boolean(),
  verifiedAt: isoTime().nullable(),
  rootUrl: z.string().nullable(),
  notFoundUrl: z.string().nullable(),
  links: z.int().nonnegative(),
  /** What proves that the domain is ours: one of the two. */
  proof: z.object({ txtName: z.string(), txtValue: z.string(), fileUrl: z.string(), fileContent: z.string() }),
  createdAt: isoTime(),
})

export const DomainList = z.object({ domains: z.array(DomainView) })

export type DomainView = z.infer<typeof DomainView>
