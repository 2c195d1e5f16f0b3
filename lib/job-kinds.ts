import { exportKind } from '@/lib/accounts/export'
import { audit } from '@/lib/audit/audit'
import { blocklistKind } from '@/lib/blocklist/job'
import { rebuildKind } from '@/lib/codes/rebuild-job'
import type { JobKind, JobKinds } from '@/lib/jobs/runner'
import { bulkKind, type OnAdminAction } from '@/lib/links/bulk-job'
import { importKind } from '@/lib/links/import-job'
import type { Runtime } from './runtime'

const noteLink: OnAdminAction = (ctx, admin, action, fullShortUrl, reason) =>
  audit(ctx, admin, `link.${action}`, fullShortUrl, reason === '' ? {} : { reason })

/** Every kind of job, each of which lives with what it is about. */
export const JOB_KINDS: JobKinds<Runtime> = {
  links: kind(bulkKind(noteLink)),
  import: kind(importKind),
  export: kind(exportKind),
  rebuild: kind(rebuildKind),
  blocklist: kind(blocklistKind(noteLink)),
}

/** The runner gives a kind only what its own schema has read. */
function kind<Input>(of: JobKind<Runtime, Input>): JobKind<Runtime, never> {
  return of as JobKind<Runtime, never>
}
