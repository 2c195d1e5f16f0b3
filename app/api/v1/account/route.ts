import { notAllowed } from '@/lib/api/problem'

export { getAccount as GET, patchAccount as PATCH, removeAccount as DELETE } from '@/lib/api/account'

const others = notAllowed('DELETE, GET, HEAD, OPTIONS, PATCH')

export { others as POST, others as PUT }
