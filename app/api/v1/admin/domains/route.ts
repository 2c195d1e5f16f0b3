import { notAllowed } from '@/lib/api/problem'

export { getDomains as GET, postDomain as POST } from '@/lib/api/admin/domains'

const others = notAllowed('GET, HEAD, OPTIONS, POST')

export { others as DELETE, others as PATCH, others as PUT }
