import { notAllowed } from '@/lib/api/problem'

export { getLines as GET } from '@/lib/api/links'

const others = notAllowed('GET, HEAD, OPTIONS')

export { others as DELETE, others as PATCH, others as POST, others as PUT }
