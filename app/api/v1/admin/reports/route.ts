import { notAllowed } from '@/lib/api/problem'

export { getReports as GET } from '@/lib/api/admin/reports'

const others = notAllowed('GET, HEAD, OPTIONS')

export { others as DELETE, others as PATCH, others as POST, others as PUT }
