import { notAllowed } from '@/lib/api/problem'

export { postRebuild as POST } from '@/lib/api/admin/rebuild'

const others = notAllowed('OPTIONS, POST')

export { others as DELETE, others as GET, others as PATCH, others as PUT }
