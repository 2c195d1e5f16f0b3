import { notAllowed } from '@/lib/api/problem'

export { removeKey as DELETE } from '@/lib/api/account'

const others = notAllowed('DELETE, OPTIONS')

export { others as GET, others as PATCH, others as POST, others as PUT }
