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
import { type Result, send } from './http'

/** The account that is signed in: what lives under /api/v1/account, and how the first one is made. */

const PATH = '/api/v1/account'
const nothing = z.unknown()

export function setUp(body: SetupInput): Promise<Result<AccountView>> {
  return send('POST', '/api/v1/setup', AccountView, { body })
}

export function getAccount(signal?: AbortSignal): Promise<Result<AccountView>> {
  return send('GET', PATH, AccountView, { signal })
}

export function updateAccount(body: UpdateAccount): Promise<Result<AccountView>> {
  return send('PATCH', PATH, AccountView, { body })
}

export function deleteAccount(body: DeleteAccount): Promise<Result<unknown>> {
  return send('DELETE', PATH, nothing, { body })
}

/** How who is signed in can show that it is them. */
export function waysToProve(signal?: AbortSignal): Promise<Result<ProofWays>> {
  return send('GET', `${PATH}/proof`, ProofWays, { signal })
}

export function proveByPassword(password: string): Promise<Result<unknown>> {
  return send('POST', `${PATH}/proof`, nothing, { body: { password } })
}

export function listKeys(signal?: AbortSignal): Promise<Result<z.infer<typeof ApiKeys>>> {
  return send('GET', `${PATH}/keys`, ApiKeys, { signal })
}

export function createKey(body: CreateApiKey): Promise<Result<ApiKeyView>> {
  return send('POST', `${PATH}/keys`, ApiKeyView, { body })
}

export function deleteKey(id: string): Promise<Result<unknown>> {
  return send('DELETE', `${PATH}/keys/${id}`, nothing, {})
}

export function listSessions(signal?: AbortSignal): Promise<Result<z.infer<typeof Sessions>>> {
  return send('GET', `${PATH}/sessions`, Sessions, { signal })
}

export function endSession(id: string): Promise<Result<unknown>> {
  return send('DELETE', `${PATH}/sessions/${id}`, nothing, {})
}

export function endOtherSessions(): Promise<Result<unknown>> {
  return send('DELETE', `${PATH}/sessions`, nothing, {})
}

export function startExport(): Promise<Result<JobView>> {
  return send('POST', `${PATH}/export`, JobView, {})
}
