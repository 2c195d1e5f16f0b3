import { probeResponse } from '@/lib/api/probe'

export const GET = (request: Request) => probeResponse('/metrics', request)
