import { notAllowed } from '@/lib/api/problem'

export { getKeys as GET, postKey as POST } from '@/lib/api/account'

const others = notAllowed('GET, HEAD, OPTIONS, POST')

export { others as DELETE, others as PATCH, others as PUT }
