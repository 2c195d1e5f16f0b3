import type { z } from 'zod'
import { audit } from '@/lib/audit/audit'
import type { AuditAction } from '@/lib/audit/values'
import type { JobView } from '@/lib/jobs/schemas'
import type { Runtime } from '@/lib/runtime'
import type { ListType } from '@/lib/tools/list-size'
import type { Proof } from './authorise'
import { type At, type Call, type Documented, type Endpoint, endpoint } from './endpoint'
import { jobAnswer } from './jobs'

/** What was done, for the audit log, and what to answer. */
export interface Done {
  /** To what it was done. */
  target: string
  details?: Record<string, unknown>
  /** JSON to answer with, where the endpoint states that there is any. */
  answer?: unknown
  /** Waited for before it is answered. */
  until?: Promise<void>
  /** Answered by 202, and begun at once, in place of `answer`. */
  job?: JobView
}

/** What all endpoints state by which admins look at something. */
export const LOOKING = { auth: 'admin', proof: 'key', limit: 'account' } as const

/** An endpoint by which admins look through a list. */
export const adminList = <Q extends z.ZodType, P>(
  at: At,
  summary: string,
  query: Q,
  page: z.ZodType<P>,
  list: (ctx: Runtime, query: z.output<Q>) => Promise<P>,
): Endpoint => {
  const options = { ...LOOKING, summary, query, answers: { 200: ['A page of results', page] as const } }
  return endpoint<'admin', z.ZodUndefined, Q>(at, options, (call) => list(call.ctx, call.query))
}

interface Options<B extends z.ZodType, Q extends z.ZodType> extends Documented {
  proof: Proof
  /** Name in the audit log; a function where it depends on what is asked for. */
  action: AuditAction | ((call: Call<z.output<B>, z.output<Q>, 'admin'>) => AuditAction)
  body?: B
  bodyType?: ListType
  bodyMb?: number
  query?: Q
}

/**
 * An endpoint by which an admin changes something. What was done is written down before it is answered; what failed is not,
 * for nothing was done.
 */
export function adminAction<B extends z.ZodType = z.ZodUndefined, Q extends z.ZodType = z.ZodUndefined>(
  at: At,
  { action, ...options }: Options<B, Q>,
  handle: (call: Call<z.output<B>, z.output<Q>, 'admin'>) => Promise<Done>,
): Endpoint {
  const handler = endpoint<'admin', B, Q>(at, { ...options, auth: 'admin', limit: 'account' }, async (call) => {
    const { target, details, answer, until, job } = await handle(call)
    const name = typeof action === 'string' ? action : action(call)
    await audit(call.ctx, { account: call.account, address: call.address }, name, target, details)
    await until
    return job ? jobAnswer(call.ctx, job) : answer
  })
  return Object.assign(handler, { spec: { ...handler.spec, isAudited: true as const } })
}
