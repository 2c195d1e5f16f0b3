import { notAllowed } from '@/lib/api/problem'

export { postVerify as POST } from '@/lib/api/admin/domains'

const others = notAllowed('OPTIONS, POST')

export { others as DELETE, others as GET, others as PATCH, others as PUT }
