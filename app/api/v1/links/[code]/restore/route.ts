import { notAllowed } from '@/lib/api/problem'

export { postRestore as POST } from '@/lib/api/links'

const others = notAllowed('OPTIONS, POST')

export { others as DELETE, others as GET, others as PATCH, others as PUT }
