import { probeResponse } from '@/lib/api/probe'

export const GET = () => probeResponse('/healthz')
