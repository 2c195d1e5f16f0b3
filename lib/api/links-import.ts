import { z } from 'zod'
import { resolveOwners } from '@/lib/accounts/import-owners'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { JobView } from '@/lib/jobs/schemas'
import { queueImport } from '@/lib/links/import-queue'
import type { ImportFormat } from '@/lib/links/import-source'
import { COLUMN_NAMES } from '@/lib/links/properties'
import { columnsOf } from '@/lib/movers/column-names'
import { guessColumns } from '@/lib/movers/columns'
import { queueFile } from '@/lib/movers/queue'
import { MOVED_FROM } from '@/lib/movers/sources'
import { TARGETS } from '@/lib/movers/targets'
import { bytesOf, LIST_MB } from '@/lib/tools/list-size'
import { unpacked, unpackedBeginning } from '@/lib/tools/unpacked'
import { endpoint } from './endpoint'
import { ownersIn, ownersText } from './import-owners'
import { jobAnswer } from './jobs'

const OPTIONAL = COLUMN_NAMES.filter((name) => name !== 'url')
  .map((name) => `\`${name}\``)
  .join(', ')

/** The format of a file, by its media type; null: what it is, is told by where it comes from. */
const UPLOADS: Readonly<Record<string, ImportFormat | null>> = {
  'text/csv': 'csv',
  'application/gzip': null,
  'application/json': 'json',
  'application/jsonl': 'json',
  'application/x-ndjson': 'json',
  'application/sql': null,
  'application/xml': null,
  'application/octet-stream': null,
  'text/plain': null,
  'text/xml': null,
}

/** Bytes of a file that are looked at to tell its columns. */
const BEGINNING = 256 * 1024

const ImportQuery = z.strictObject({
  from: z.enum(MOVED_FROM).optional().meta({
    description:
      'What wrote the file: another shortener, or the configuration of a server. `other` reads any CSV or JSON by the names of its columns. Left out, it is CSV or JSON with the columns of this site.',
  }),
  domain: z.string().max(253).optional().meta({
    description:
      'With `from`, the domain that the links are put on. Defaults to the one that each has, if that is one of this site, or else the default domain.',
  }),
  site: z.string().max(500).optional().meta({
    description: 'With `from`, the site that destinations belong to which are only paths.',
    example: 'https://www.example.com',
  }),
  columns: z.string().max(8_000).optional().meta({
    description:
      'With `from`, what columns are, where that is not told by their names: a JSON object, such as `{"Go to": "url", "Notes": ""}`. An empty text leaves a column out.',
  }),
  owners: ownersText,
  dryRun: z.enum(['true', 'false']).optional().meta({
    description: 'Whether to say what would come of each row, and create nothing until the job is started.',
  }),
})

export const postImport = endpoint(
  'POST /api/v1/links/import',
  {
    id: 'importLinks',
    summary: 'Import links from a file',
    description: `Starts a job that creates each link as a single request would. With \`dryRun\`, the job says what would come of each row and creates nothing, until you start it. List the job’s items for the result of each row, or download its results. In CSV, the first line names the columns: \`url\`, and any of ${OPTIONAL}. Column names from other shorteners are recognized, and unknown columns are ignored. Without a header line, the columns are \`url\`, \`code\`, and \`title\`. JSON is an array of objects, one object per line, or an object with an array \`links\`, such as an export of an account. With \`from\`, files of others are read as they write them: database dumps of YOURLS and Kutt, CSV of YOURLS, Shlink, Dub and Bitly, JSON of Sink, sitemaps, redirects in the configuration of Apache and nginx, and files named \`_redirects\`. Importing these again creates nothing twice. Times without a time zone are in UTC. Files are read as UTF-8, UTF-16 or Windows-1252, also packed by gzip. The limit is ${LIST_MB['text/csv']} MB and, unless this server is set up otherwise, 1,000,000 links, for one file and for all unfinished imports of an account together.`,
    auth: 'account',
    proof: 'key',
    limit: 'upload',
    upload: { types: Object.keys(UPLOADS), megabytes: LIST_MB['text/csv'] },
    query: ImportQuery,
    answers: { 202: ['The job', JobView] },
  },
  async ({ ctx, account, address, locale, upload: { type, bytes: sent }, query }) => {
    const bytes = unpacked(sent, bytesOf('text/csv'))
    // By account too: what an import leaves is kept, from wherever it was sent.
    await ctx.limits.consume('upload', `account ${account.id}`)
    const by = { account, address, locale }
    const { from, columns, owners: named, ...where } = query
    const owners = await resolveOwners(ctx, account, ownersIn(named))
    const dryRun = query.dryRun === 'true'
    if (from)
      return jobAnswer(
        ctx,
        await queueFile(ctx, by, {
          ...where,
          from,
          bytes,
          columns: columns === undefined ? undefined : columnsOf(columns),
          dryRun,
          owners,
        }),
      )
    const format = UPLOADS[type]
    if (!format) throw new TerseError('bad_request', say('api.import.from'))
    return jobAnswer(ctx, await queueImport(ctx, by, { format, bytes }, { dryRun, owners }))
  },
)

const ColumnView = z
  .object({
    name: z.string(),
    property: z.enum(TARGETS).nullable().meta({ description: 'What it is taken for; null: nothing.' }),
    examples: z.array(z.string()).meta({ description: 'What its first rows say.' }),
  })
  .meta({ id: 'ImportColumn' })

export const postColumns = endpoint(
  'POST /api/v1/links/import/columns',
  {
    id: 'guessColumns',
    summary: 'Preview the columns of a file',
    description:
      'Returns the columns of a CSV, or the fields of a JSON, and which property of links each is taken for. The beginning of the file is enough. Where a guess is wrong, say so in `columns` of the import.',
    auth: 'account',
    proof: 'key',
    limit: 'api',
    file: { types: Object.keys(UPLOADS), kilobytes: 256, example: 'links.csv' },
    query: z.strictObject({ from: z.enum(MOVED_FROM).default('other') }),
    answers: { 200: ['The columns', z.object({ columns: z.array(ColumnView) })] },
  },
  async ({ file, query: { from } }) => ({ columns: await guessColumns(from, await unpackedBeginning(file, BEGINNING)) }),
)
