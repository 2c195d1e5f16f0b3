import { probeResponse } from '@/lib/api/web'

export const GET = (request: Request) => probeResponse('/readyz', request)
