import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { JobItemPage, JobItemsQuery, JobNumber, JobPage, JobsQuery, JobView } from '@/lib/jobs/schemas'
import { COLUMN_NAMES, MAX_ROWS } from '@/lib/links/import-rows'
import { BulkLinks, Sparklines, SparklinesQuery } from '@/lib/links/schemas'
import { badBody, byKey, errors, jsonOf } from './parts'

const path = z.object({ number: JobNumber })
const refused = errors(401, 429, 503)
const OPTIONAL = COLUMN_NAMES.filter((name) => name !== 'url')

/** What is done to many links, and the jobs that this becomes. */
export const jobPaths: ZodOpenApiPathsObject = {
  '/api/v1/links/bulk': {
    post: {
      operationId: 'changeLinks',
      summary: 'Enable, disable, delete or restore many links',
      description:
        'A job does to each link what a request for it alone would; one that cannot be changed stops no other. `…/items` of the job tells what came of each.',
      security: byKey,
      requestBody: { required: true, content: jsonOf(BulkLinks) },
      responses: { 202: { description: 'The job', content: jsonOf(JobView) }, ...badBody, ...errors(403), ...refused },
    },
  },
  '/api/v1/links/import': {
    post: {
      operationId: 'importLinks',
      summary: 'Import links from CSV',
      description: `A job makes each link as a request for it alone would; \`…/items\` of the job tells what came of each. The first line names the columns: \`url\`, and any of ${OPTIONAL.map((name) => `\`${name}\``).join(', ')}. The names that other shorteners give them are understood, other columns are passed over, and without such a line the columns are \`url\`, \`code\` and \`title\`. A time without a zone is of UTC. At most ${MAX_ROWS.toLocaleString('en')} links and 5 MB.`,
      security: byKey,
      requestBody: { required: true, content: { 'text/csv': { schema: z.string().meta({ example: 'links.csv' }) } } },
      responses: { 202: { description: 'The job', content: jsonOf(JobView) }, ...badBody, ...errors(403), ...refused },
    },
  },
  '/api/v1/links/sparklines': {
    get: {
      operationId: 'getSparklines',
      summary: 'Count the clicks of many links by day',
      description: 'Links that you may not look at are left out.',
      security: [{ manageToken: [] }, ...byKey],
      requestParams: { query: SparklinesQuery },
      responses: { 200: { description: 'Clicks by day', content: jsonOf(Sparklines) }, ...errors(422, 429, 503) },
    },
  },
  '/api/v1/jobs': {
    get: {
      operationId: 'listJobs',
      summary: 'List jobs',
      description: 'Yours, the newest first; admins see everyone’s. They are kept for 30 days.',
      security: byKey,
      requestParams: { query: JobsQuery },
      responses: { 200: { description: 'A page', content: jsonOf(JobPage) }, ...errors(400, 422), ...refused },
    },
  },
  '/api/v1/jobs/{number}': {
    get: {
      operationId: 'getJob',
      summary: 'Look at a job',
      security: byKey,
      requestParams: { path },
      responses: { 200: { description: 'The job', content: jsonOf(JobView) }, ...errors(404), ...refused },
    },
  },
  '/api/v1/jobs/{number}/items': {
    get: {
      operationId: 'listJobItems',
      summary: 'See what came of each row',
      security: byKey,
      requestParams: { path, query: JobItemsQuery },
      responses: {
        200: { description: 'A page, in the order of work', content: jsonOf(JobItemPage) },
        ...errors(400, 404, 422),
        ...refused,
      },
    },
  },
  '/api/v1/jobs/{number}/cancel': {
    post: {
      operationId: 'cancelJob',
      summary: 'Stop a job',
      description: 'It ends within a second; what it has done stays. One that has ended is left as it is.',
      security: byKey,
      requestParams: { path },
      responses: { 200: { description: 'The job', content: jsonOf(JobView) }, ...errors(403, 404), ...refused },
    },
  },
  '/api/v1/jobs/{number}/file': {
    get: {
      operationId: 'getJobFile',
      summary: 'Download what a job made',
      security: byKey,
      requestParams: { path },
      responses: {
        200: { description: 'A file', content: { 'application/json': { schema: z.object({}) } } },
        ...errors(404),
        ...refused,
      },
    },
  },
}
