import { z } from 'zod'
import { resolveOwners } from '@/lib/accounts/import-owners'
import { JobView } from '@/lib/jobs/schemas'
import { queueLive } from '@/lib/movers/queue'
import { LIVE_FROM } from '@/lib/movers/sources'
import { queueVerify } from '@/lib/movers/verify-job'
import { endpoint } from './endpoint'
import { OwnersByName } from './import-owners'
import { jobAnswer, ONE_JOB, ownJob } from './jobs'

const MoveInput = z
  .strictObject({
    from: z.enum(LIVE_FROM).meta({ description: 'What the other service is.' }),
    address: z.string().max(500).optional().meta({
      description: 'Where it is. Not needed for services that are in a single place.',
      example: 'https://old.example.com',
    }),
    key: z.string().max(1_000).optional().meta({
      description:
        'What its API lets you in by: an API key or token, and for YOURLS the signature; a sitemap needs none. Kept encrypted until all links were read, and shown nowhere.',
    }),
    domain: z.string().max(253).optional().meta({
      description:
        'The domain that the links are put on. Defaults to the one that each has, if that is one of this site, or else the default domain.',
    }),
    owners: OwnersByName.optional(),
    dryRun: z
      .boolean()
      .optional()
      .meta({ description: 'Whether to say what would come of each link, and create nothing until the job is started.' }),
  })
  .meta({ id: 'MoveLinks' })

export const postMove = endpoint(
  'POST /api/v1/links/move',
  {
    id: 'moveLinks',
    summary: 'Import links from another service by its API',
    description:
      'Starts a job that reads all links that another service lists, page by page, and then imports them as it would a file. Of a sitemap, `address` is its own; those that an index names are read one after another. It goes on where it was after a crash, on either side. Importing the same links again creates nothing twice. Links that came over from the old shortener of their domain before are completed.',
    auth: 'account',
    proof: 'key',
    limit: 'api',
    body: MoveInput,
    answers: { 202: ['The job', JobView] },
    errors: [409],
  },
  async ({ ctx, account, address, locale, body }) => {
    await ctx.limits.consume('upload', `account ${account.id}`)
    const owners = await resolveOwners(ctx, account, body.owners ?? {})
    return jobAnswer(ctx, await queueLive(ctx, { account, address, locale }, { ...body, owners, dryRun: body.dryRun ?? false }))
  },
)

const VerifyInput = z
  .strictObject({
    address: z.string().max(500).meta({
      description: 'Where the old short links are: what stands before their codes.',
      example: 'https://old.example.com',
    }),
  })
  .meta({ id: 'VerifyImport' })

export const postVerify = endpoint(
  'POST /api/v1/jobs/{number}/verify',
  {
    ...ONE_JOB,
    id: 'verifyImport',
    summary: 'Compare the links of an import with the old ones',
    description:
      'Starts a job that asks the old service for each short link of the import, at most 50 a second, and compares the status and the `Location` with how this site answers. Short links that the import refused, or that another link has, are asked for too. Redirects aren’t followed, and nothing is counted as a click here. Its failed items are the differences.',
    body: VerifyInput,
    answers: { 202: ['The job', JobView] },
    errors: [409],
  },
  async (call) => {
    const { ctx, account, address, locale, body } = call
    return jobAnswer(ctx, await queueVerify(ctx, { account, address, locale }, await ownJob(call), body.address))
  },
)
