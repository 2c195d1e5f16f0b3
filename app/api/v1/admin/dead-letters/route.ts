import { notAllowed } from '@/lib/api/problem'

export { getDeadLetters as GET } from '@/lib/api/admin/dead-letters'

const others = notAllowed('GET, HEAD, OPTIONS')

export { others as DELETE, others as PATCH, others as POST, others as PUT }
