import { notAllowed } from '@/lib/api/problem'

export { getInvitations as GET, postInvitation as POST } from '@/lib/api/admin/accounts'

const others = notAllowed('GET, HEAD, OPTIONS, POST')

export { others as DELETE, others as PATCH, others as PUT }
