import { notAllowed } from '@/lib/api/problem'

export { postReset as POST } from '@/lib/api/admin/accounts'

const others = notAllowed('OPTIONS, POST')

export { others as DELETE, others as GET, others as PATCH, others as PUT }
