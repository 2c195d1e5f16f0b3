import { z } from 'zod'
import { knownOwners } from '@/lib/accounts/import-owners'
import type { Account } from '@/lib/actor'
import type { Job } from '@/lib/db/generated/client'
import { invalidField } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import type { JobView } from '@/lib/jobs/schemas'
import { namedOwners } from '@/lib/links/import-queue'
import type { Runtime } from '@/lib/runtime'
import { issue } from '@/lib/tools/issues'

const MEANS =
  'with an account of this site for each name in the column `owner`, by its handle, username or email, such as `{"Mia Moss": "mia@example.com"}`. Links of names that are left out are yours. Only admins can name other accounts.'

/** Names of an old system that are given accounts at once: each may take a statement. */
const MOST_OWNERS = 1_000

/** Which account each owner of an old system is. */
export const OwnersByName = z
  .record(z.string().max(254), z.string().max(254))
  .refine((owners) => Object.keys(owners).length <= MOST_OWNERS, issue('forms.field.tooMany', { most: MOST_OWNERS }))
  .meta({ description: `Whose the links are: an object ${MEANS}`, example: { 'Mia Moss': 'mia@example.com' } })

/** The same in a query, since the body is the file. */
export const ownersText = z
  .string()
  .max(8_000)
  .optional()
  .meta({ description: `Whose the links are: a JSON object ${MEANS}` })

/** @throws TerseError 'validation_failed' */
export function ownersIn(text: string | undefined): Record<string, string> {
  if (text === undefined) return {}
  try {
    return OwnersByName.parse(JSON.parse(text))
  } catch {
    throw invalidField('owners', say('api.import.owners'))
  }
}

/** Whose the links of an import are, and for an admin who starts it which of them have an account here. */
export async function viewOwners(ctx: Runtime, { id, role }: Account, job: Job): Promise<Pick<JobView, 'owners'>> {
  const owners = namedOwners(job)
  if (owners === null) return {}
  if (role !== 'admin' || job.userId !== id || job.state !== 'checked') return { owners: [...owners] }
  const known = await knownOwners(
    ctx,
    owners.map(({ name }) => name),
  )
  return { owners: owners.map((owner) => ({ ...owner, account: known.get(owner.name) ?? null })) }
}
