import { notAllowed } from '@/lib/api/problem'

export { getAccounts as GET } from '@/lib/api/admin/accounts'

const others = notAllowed('GET, HEAD, OPTIONS')

export { others as DELETE, others as PATCH, others as POST, others as PUT }
