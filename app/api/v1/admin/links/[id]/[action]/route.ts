import { notAllowed } from '@/lib/api/problem'

export { postLinkAction as POST } from '@/lib/api/admin/links'

const others = notAllowed('OPTIONS, POST')

export { others as DELETE, others as GET, others as PATCH, others as PUT }
