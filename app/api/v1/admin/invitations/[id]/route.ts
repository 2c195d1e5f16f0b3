import { notAllowed } from '@/lib/api/problem'

export { deleteInvitation as DELETE } from '@/lib/api/admin/accounts'

const others = notAllowed('DELETE, OPTIONS')

export { others as GET, others as PATCH, others as POST, others as PUT }
