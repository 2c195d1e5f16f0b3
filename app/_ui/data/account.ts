import type {
  AccountView,
  ApiKeyView,
  CreateApiKey,
  DeleteAccount,
  PreferencesView,
  ProofWays,
  SessionView,
  SetupInput,
  UpdateAccount,
  UpdatePreferences,
} from '@/lib/accounts/schemas'
import type { JobView } from '@/lib/jobs/schemas'
import type { Overview } from '@/lib/overview/schemas'
import { type Result, send } from './http'

/** The account that is signed in: what lives under /api/v1/account, and how the first one is made. */

const PATH = '/api/v1/account'

export const setUp = (body: SetupInput) => send<AccountView>('POST', '/api/v1/setup', { body })
export const signOut = () => send<unknown>('POST', '/api/auth/sign-out', { body: {} })
export const getAccount = (signal?: AbortSignal) => send<AccountView>('GET', PATH, { signal })
export const updateAccount = (body: UpdateAccount) => send<AccountView>('PATCH', PATH, { body })
/** One after the other: the last choice is the one that stays. */
export function updatePreferences(body: UpdatePreferences): Promise<Result<PreferencesView>> {
  const sent = before.then(() => send<PreferencesView>('PATCH', `${PATH}/preferences`, { body, keepalive: true }))
  before = sent
  return sent
}
let before: Promise<unknown> = Promise.resolve()

export const deleteAccount = (body: DeleteAccount) => send<unknown>('DELETE', PATH, { body })

/** How who is signed in can show that it is them. */
export const waysToProve = (signal?: AbortSignal) => send<ProofWays>('GET', `${PATH}/proof`, { signal })
export const proveByPassword = (password: string) => send<unknown>('POST', `${PATH}/proof`, { body: { password } })
export const listKeys = (signal?: AbortSignal) => send<{ keys: ApiKeyView[] }>('GET', `${PATH}/keys`, { signal })
export const createKey = (body: CreateApiKey) => send<ApiKeyView>('POST', `${PATH}/keys`, { body })
export const deleteKey = (id: string) => send<unknown>('DELETE', `${PATH}/keys/${id}`)
export const listSessions = (signal?: AbortSignal) => send<{ sessions: SessionView[] }>('GET', `${PATH}/sessions`, { signal })
export const endSession = (id: string) => send<unknown>('DELETE', `${PATH}/sessions/${id}`)
export const endOtherSessions = () => send<unknown>('DELETE', `${PATH}/sessions`)

/** Numbers over all links of the account, of the last `days` days. */
export const getOverview = (days: number, signal?: AbortSignal) =>
  send<Overview>('GET', `${PATH}/overview?days=${days}`, { signal })
export const startExport = () => send<JobView>('POST', `${PATH}/export`)
