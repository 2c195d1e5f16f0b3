import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { CreateReport, ReportReceipt } from '@/lib/reports/schemas'
import { errors, jsonOf } from './parts'

/** What anyone may tell about a link. */
export const reportPaths: ZodOpenApiPathsObject = {
  '/api/v1/reports': {
    post: {
      operationId: 'reportLink',
      summary: 'Report a link',
      description:
        'Anyone may, also about a link that was deleted. An admin looks at it, and answers by e-mail if there is an address.',
      security: [],
      requestBody: { required: true, content: jsonOf(CreateReport) },
      responses: {
        201: { description: 'Received', content: jsonOf(ReportReceipt) },
        ...errors(400, 403, 413, 415, 422, 429, 503),
      },
    },
  },
}
