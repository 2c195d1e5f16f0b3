import { notAllowed } from '@/lib/api/problem'

export { getClicks as GET } from '@/lib/api/stats'

const others = notAllowed('GET, HEAD, OPTIONS')

export { others as DELETE, others as PATCH, others as POST, others as PUT }
