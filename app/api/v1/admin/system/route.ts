import { notAllowed } from '@/lib/api/problem'

export { getSystem as GET } from '@/lib/api/admin/system'

const others = notAllowed('GET, HEAD, OPTIONS')

export { others as DELETE, others as PATCH, others as POST, others as PUT }
