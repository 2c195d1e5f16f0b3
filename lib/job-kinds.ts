import type { AccountContext } from '@/lib/accounts/context'
import { exportKind } from '@/lib/accounts/export'
import { audit } from '@/lib/audit/audit'
import { blocklistKind } from '@/lib/blocklist/job'
import { rebuildKind } from '@/lib/codes/rebuild-job'
import type { JobKind, JobKinds } from '@/lib/jobs/runner'
import { actOnLink } from '@/lib/links/act'
import { bulkKind, type OnAdminAction } from '@/lib/links/bulk-job'
import { codeCaseKind } from '@/lib/links/code-case'
import { OURSELVES } from '@/lib/links/permit'
import { undoKind } from '@/lib/links/undo-job'
import { moveKind } from '@/lib/movers/move-job'
import { verifyKind } from '@/lib/movers/verify-job'
import type { Outbound } from '@/lib/net/outbound'
import type { AnswerContext } from '@/lib/redirect/answer'
import { type CodeStores, rebuildCodes } from '@/lib/redirect/trust'

/** What all kinds together stand on. */
type Context = AccountContext & Pick<CodeStores, 'redis'> & { outbound: Outbound; answering: AnswerContext }

const noteLink: OnAdminAction = (ctx, admin, action, fullShortUrl, reason) =>
  audit(ctx, admin, `link.${action}`, fullShortUrl, reason === '' ? {} : { reason })

/** Every kind of job, each of which lives with what it is about. */
export const JOB_KINDS: JobKinds<Context> = {
  links: kind(bulkKind(noteLink)),
  import: kind(moveKind()),
  verify: kind(verifyKind()),
  undo: kind(undoKind),
  export: kind(exportKind),
  case: kind(codeCaseKind()),
  rebuild: kind(rebuildKind<Context>(rebuildCodes)),
  blocklist: kind(
    blocklistKind<Context>({
      act: (ctx, admin, { id }, action, reason) =>
        actOnLink(ctx, { ...OURSELVES, ownerId: admin.account.id }, id, action, reason),
      tell: noteLink,
    }),
  ),
}

/** The runner gives a kind only what its own schema has read. */
function kind<Input>(of: JobKind<Context, Input>): JobKind<Context, never> {
  return of as JobKind<Context, never>
}
