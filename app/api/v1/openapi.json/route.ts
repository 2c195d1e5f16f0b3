import { openApiDocument } from '@/lib/api/openapi'
import { runtime } from '@/lib/runtime'

export async function GET(): Promise<Response> {
  const { config } = await runtime()
  return Response.json(openApiDocument(config.BASE_URL))
}
