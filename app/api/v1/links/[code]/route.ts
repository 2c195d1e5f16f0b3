import { notAllowed } from '@/lib/api/problem'

export { getLink as GET, patchLink as PATCH, removeLink as DELETE } from '@/lib/api/links'

const others = notAllowed('DELETE, GET, HEAD, OPTIONS, PATCH')

export { others as POST, others as PUT }
