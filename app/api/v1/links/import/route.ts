import { notAllowed } from '@/lib/api/problem'

export { postImport as POST } from '@/lib/api/links'

const others = notAllowed('OPTIONS, POST')

export { others as DELETE, others as GET, others as PATCH, others as PUT }
