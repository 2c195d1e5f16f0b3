import { notAllowed } from '@/lib/api/problem'

export { postClaim as POST } from '@/lib/api/account'

const others = notAllowed('OPTIONS, POST')

export { others as DELETE, others as GET, others as PATCH, others as PUT }
