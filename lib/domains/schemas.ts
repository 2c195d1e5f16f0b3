import { z } from 'zod'
import { issue } from '@/lib/tools/issues'
import { isoTime } from '@/lib/tools/schema'
import { UpstreamInput, UpstreamView } from '@/lib/upstream/schemas'
import { CODE_CASES } from './code-case'

const address = z
  .url({ protocol: /^https?$/ })
  .max(2048)
  .nullable()
export const CreateDomain = z.strictObject({ host: z.string().trim().min(1, issue('forms.domain')).max(253) })

export const UpdateDomain = z.strictObject({
  isDefault: z.literal(true).optional(),
  rootUrl: address.optional(),
  notFoundUrl: address.optional(),
  qrCodes: z
    .boolean()
    .optional()
    .meta({ description: 'Whether `/<code>.qr` and `/<code>.qr.png` show anyone the QR codes of its links.' }),
  upstream: UpstreamInput.nullable()
    .optional()
    .meta({
      description:
        'The old shortener of this domain. While it’s set, it’s asked for back-halves that aren’t here, visitors get its redirect, ' +
        'and the link is created here, owned by you. If null, nobody is asked.',
    }),
  spokenCodes: z
    .boolean()
    .optional()
    .meta({ description: 'Whether numbers of up to 6 digits are spoken numbers there. If not, links can be called so.' }),
})

export const ChangeCodeCase = z.strictObject({
  codeCase: z
    .enum(['sensitive', 'ignored'])
    .meta({ description: 'Whether capitals matter in the back-halves of its short links: `sensitive`, or `ignored`.' }),
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
  qrCodes: z.boolean(),
  spokenCodes: z.boolean(),
  codeCase: z.enum(CODE_CASES).meta({
    description: 'Whether capitals matter in back-halves: `sensitive`, `ignored`, or `changing` while a job turns it on or off.',
  }),
  upstream: UpstreamView.nullable().meta({ description: 'The old shortener, and what came over from it.' }),
  links: z.int().nonnegative(),
  /** What proves that the domain is ours: one of the two. */
  proof: z.object({ txtName: z.string(), txtValue: z.string(), fileUrl: z.string(), fileContent: z.string() }),
  createdAt: isoTime(),
})

export const DomainList = z.object({ domains: z.array(DomainView) })

export type DomainView = z.infer<typeof DomainView>
