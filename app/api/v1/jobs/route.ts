import { notAllowed } from '@/lib/api/problem'

export { getJobs as GET } from '@/lib/api/jobs'

const others = notAllowed('GET, HEAD, OPTIONS')

export { others as DELETE, others as PATCH, others as POST, others as PUT }
