export { getProof as GET, postProof as POST } from '@/lib/api/account'

import { notAllowed } from '@/lib/api/problem'

const others = notAllowed('GET, HEAD, OPTIONS, POST')

export { others as DELETE, others as PATCH, others as PUT }
