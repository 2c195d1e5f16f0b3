import { notAllowed } from '@/lib/api/problem'

export { getReport as GET, postResolution as POST } from '@/lib/api/admin/reports'

const others = notAllowed('GET, HEAD, OPTIONS, POST')

export { others as DELETE, others as PATCH, others as PUT }
