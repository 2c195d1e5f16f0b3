import { notAllowed } from '@/lib/api/problem'

export { getAdminLink as GET } from '@/lib/api/admin/links'

const others = notAllowed('GET, HEAD, OPTIONS')

export { others as DELETE, others as PATCH, others as POST, others as PUT }
