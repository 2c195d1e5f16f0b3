import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { SpokenInput, SpokenView } from '@/lib/links/schemas'
import { CreateReport, ReportReceipt } from '@/lib/reports/schemas'
import { badBody, errors, jsonOf } from './parts'

/** What needs no account. */
export const visitorPaths: ZodOpenApiPathsObject = {
  '/api/v1/spoken': {
    post: {
      operationId: 'createSpoken',
      summary: 'Make a link to be read aloud',
      description:
        'Its code is a number of 4 to 6 digits, which goes to another link some time after this one has expired. When all numbers are in use, 503 says in Retry-After when the next one frees.',
      requestBody: { required: true, content: jsonOf(SpokenInput) },
      responses: { 201: { description: 'Made', content: jsonOf(SpokenView) }, ...badBody, ...errors(401, 429, 503) },
    },
  },
  '/api/v1/reports': {
    post: {
      operationId: 'createReport',
      summary: 'Report a link',
      description: 'The reference in the answer tells nothing of other reports. The operator of this site reads it.',
      requestBody: { required: true, content: jsonOf(CreateReport) },
      responses: { 201: { description: 'Taken', content: jsonOf(ReportReceipt) }, ...badBody, ...errors(429, 503) },
    },
  },
}
