import { z } from 'zod'
import { issue } from '@/lib/tools/issues'
import { line } from '@/lib/tools/line'
import { isoTime, paged, pageQuery, reason } from '@/lib/tools/schema'
import { BLOCK_KINDS } from './values'

export const BlocklistQuery = z.strictObject({
  ...pageQuery,
  kind: z.enum(BLOCK_KINDS).optional(),
  q: z.string().trim().max(200).optional(),
})

export const CreateBlockRule = z.strictObject({
  kind: z.enum(BLOCK_KINDS).meta({
    description:
      'What the rule blocks. `host`: this host. `suffix`: this host and all its subdomains. `word`: a word in the code, title, or destination. `client`: an IP address or CIDR range that can’t create links. A single IPv6 address stands for its /64 network.',
  }),
  value: line(253).min(1, issue('forms.block')),
  reason,
})

export const BlockRuleView = z.object({
  id: z.string(),
  kind: z.enum(BLOCK_KINDS),
  value: z.string(),
  reason: z.string(),
  createdBy: z.string(),
  createdAt: isoTime(),
  matches: z.int().nonnegative().optional().meta({
    description: 'The number of existing links that the rule would have refused. Only returned when the rule is created.',
  }),
  /** Not all links were looked at: `matches` is the least there are. Acting on them looks at all. */
  more: z.boolean().optional(),
})

export const ActOnMatches = z.strictObject({ action: z.enum(['disable', 'ban', 'delete']), reason })

export const BlocklistPage = paged('rules', BlockRuleView)

export type BlockRuleView = z.infer<typeof BlockRuleView>
