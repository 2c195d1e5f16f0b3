import { notAllowed } from '@/lib/api/problem'

export { postCancel as POST } from '@/lib/api/jobs'

const others = notAllowed('OPTIONS, POST')

export { others as DELETE, others as GET, others as PATCH, others as PUT }
