import { notAllowed } from '@/lib/api/problem'

export { getOverview as GET } from '@/lib/api/account'

const others = notAllowed('GET, HEAD, OPTIONS')

export { others as DELETE, others as PATCH, others as POST, others as PUT }
