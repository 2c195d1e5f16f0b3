import { notAllowed } from '@/lib/api/problem'

export { postReport as POST } from '@/lib/api/reports'

const others = notAllowed('OPTIONS, POST')

export { others as DELETE, others as GET, others as PATCH, others as PUT }
