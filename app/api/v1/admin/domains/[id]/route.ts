import { notAllowed } from '@/lib/api/problem'

export { deleteDomain as DELETE, patchDomain as PATCH } from '@/lib/api/admin/domains'

const others = notAllowed('DELETE, OPTIONS, PATCH')

export { others as GET, others as POST, others as PUT }
