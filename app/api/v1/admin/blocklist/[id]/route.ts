import { notAllowed } from '@/lib/api/problem'

export { deleteRule as DELETE } from '@/lib/api/admin/blocklist'

const others = notAllowed('DELETE, OPTIONS')

export { others as GET, others as PATCH, others as POST, others as PUT }
