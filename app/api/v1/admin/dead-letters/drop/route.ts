import { notAllowed } from '@/lib/api/problem'

export { postDrop as POST } from '@/lib/api/admin/dead-letters'

const others = notAllowed('OPTIONS, POST')

export { others as DELETE, others as GET, others as PATCH, others as PUT }
