import { notAllowed } from '@/lib/api/problem'

export { getSessions as GET, removeOtherSessions as DELETE } from '@/lib/api/account'

const others = notAllowed('DELETE, GET, HEAD, OPTIONS')

export { others as PATCH, others as POST, others as PUT }
