import { notAllowed } from '@/lib/api/problem'

export { getLinks as GET, postLink as POST } from '@/lib/api/links'

const others = notAllowed('GET, HEAD, OPTIONS, POST')

export { others as DELETE, others as PATCH, others as PUT }
