import { notAllowed } from '@/lib/api/problem'

export { postRetry as POST } from '@/lib/api/admin/dead-letters'

const others = notAllowed('OPTIONS, POST')

export { others as DELETE, others as GET, others as PATCH, others as PUT }
