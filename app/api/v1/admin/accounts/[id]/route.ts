import { notAllowed } from '@/lib/api/problem'

export { deleteAccount as DELETE, getAccount as GET } from '@/lib/api/admin/accounts'

const others = notAllowed('DELETE, GET, HEAD, OPTIONS')

export { others as PATCH, others as POST, others as PUT }
