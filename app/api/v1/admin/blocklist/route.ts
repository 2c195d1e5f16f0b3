import { notAllowed } from '@/lib/api/problem'

export { getRules as GET, postRule as POST } from '@/lib/api/admin/blocklist'

const others = notAllowed('GET, HEAD, OPTIONS, POST')

export { others as DELETE, others as PATCH, others as PUT }
