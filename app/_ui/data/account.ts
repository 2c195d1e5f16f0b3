import { z } from 'zod'
import {
  AccountView,
  ApiKeys,
  ApiKeyView,
  type CreateApiKey,
  type DeleteAccount,
  ProofWays,
  Sessions,
  type SetupInput,
  type UpdateAccount,
} from '@/lib/accounts/schemas'
import { JobView } from '@/lib/jobs/schemas'
import { Overview } from '@/lib/overview/schemas'
import { send } from './http'

/** The account that is signed in: what lives under /api/v1/account, and how the first one is made. */

const PATH = '/api/v1/account'
const nothing = z.unknown()

export const setUp = (body: SetupInput) => send('POST', '/api/v1/setup', AccountView, { body })
export const getAccount = (signal?: AbortSignal) => send('GET', PATH, AccountView, { signal })
export const updateAccount = (body: UpdateAccount) => send('PATCH', PATH, AccountView, { body })
export const deleteAccount = (body: DeleteAccount) => send('DELETE', PATH, nothing, { body })

/** How who is signed in can show that it is them. */
export const waysToProve = (signal?: AbortSignal) => send('GET', `${PATH}/proof`, ProofWays, { signal })
export const proveByPassword = (password: string) => send('POST', `${PATH}/proof`, nothing, { body: { password } })
export const listKeys = (signal?: AbortSignal) => send('GET', `${PATH}/keys`, ApiKeys, { signal })
export const createKey = (body: CreateApiKey) => send('POST', `${PATH}/keys`, ApiKeyView, { body })
export const deleteKey = (id: string) => send('DELETE', `${PATH}/keys/${id}`, nothing, {})
export const listSessions = (signal?: AbortSignal) => send('GET', `${PATH}/sessions`, Sessions, { signal })
export const endSession = (id: string) => send('DELETE', `${PATH}/sessions/${id}`, nothing, {})
export const endOtherSessions = () => send('DELETE', `${PATH}/sessions`, nothing, {})

/** Numbers over all links of the account, of the last `days` days. */
export const getOverview = (days: number, signal?: AbortSignal) =>
  send('GET', `${PATH}/overview?days=${days}`, Overview, { signal })
export const startExport = () => send('POST', `${PATH}/export`, JobView, {})
