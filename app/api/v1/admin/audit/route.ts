import { notAllowed } from '@/lib/api/problem'

export { getAudit as GET } from '@/lib/api/admin/audit'

const others = notAllowed('GET, HEAD, OPTIONS')

export { others as DELETE, others as PATCH, others as POST, others as PUT }
