import { UNKNOWN_CLIENT } from '@/lib/net/clients'
import { answer } from '@/lib/redirect/answer'

type Asked = Parameters<typeof answer>[1]

/** What a browser that sends nothing of itself, besides what is given, gets for a path of a host. */
export const visit = (ctx: Parameters<typeof answer>[0], host: string, path: string, given: Partial<Asked> = {}) =>
  answer(ctx, {
    method: 'GET',
    path,
    query: '',
    rawHeaders: [],
    host,
    accept: 'text/html',
    language: '',
    client: () => UNKNOWN_CLIENT,
    body: async () => '',
    ...given,
  })
