import { notAllowed } from '@/lib/api/problem'

export { getAdminOverview as GET } from '@/lib/api/admin/overview'

const others = notAllowed('GET, HEAD, OPTIONS')

export { others as DELETE, others as PATCH, others as POST, others as PUT }
