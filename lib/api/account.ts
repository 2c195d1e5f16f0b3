import { claimLinks } from '@/lib/accounts/claim'
import { cookieName, readCookies } from '@/lib/accounts/cookies'
import { deleteOwnAccount } from '@/lib/accounts/delete-own'
import { exportAccount } from '@/lib/accounts/export'
import type { SessionFacts } from '@/lib/accounts/identify'
import { createKey, deleteKey, listKeys } from '@/lib/accounts/keys'
import { CLIENT_HEADER } from '@/lib/accounts/names'
import { type PasswordAttempt, proveByPassword, waysToProve } from '@/lib/accounts/proof'
import { ClaimLinks, CreateApiKey, DeleteAccount, OverviewQuery, Proof, SetupInput, UpdateAccount } from '@/lib/accounts/schemas'
import { endOtherSessions, endSession, listSessions } from '@/lib/accounts/sessions'
import { setUp } from '@/lib/accounts/setup'
import { updateAccount, viewAccount } from '@/lib/accounts/view'
import { toView } from '@/lib/links/view'
import { jobAnswer } from './jobs'
import { type Call, json, route } from './route'

/** The session of a route that asks for one. */
function sessionOf({ session }: { session: SessionFacts | null }): SessionFacts {
  if (session === null) throw new Error('this route has to state that it needs a session')
  return session
}

/** From where a password is tried. */
const attemptOf = ({ ctx, client, request }: Pick<Call<unknown, unknown>, 'ctx' | 'client' | 'request'>): PasswordAttempt => ({
  client,
  device: readCookies(request.headers.get('cookie')).get(cookieName(ctx.config, 'device')),
})

const nothing = () => new Response(null, { status: 204, headers: { 'Cache-Control': 'no-store' } })

export const getAccount = route({ auth: 'account', proof: 'key', limit: 'account' }, async ({ ctx, account }) =>
  json(200, await viewAccount(ctx, account.id)),
)

export const patchAccount = route(
  { auth: 'account', proof: 'key', limit: 'account', body: UpdateAccount },
  async ({ ctx, account, body }) => json(200, await updateAccount(ctx, account.id, body)),
)

// It asks for the password itself, or for a recent sign-in where there is none.
export const removeAccount = route({ auth: 'account', proof: 'session', limit: 'account', body: DeleteAccount }, async (call) => {
  await deleteOwnAccount(call.ctx, call.account, sessionOf(call), call.body, attemptOf(call))
  return nothing()
})

export const getProof = route({ auth: 'account', proof: 'session', limit: 'account' }, async ({ ctx, account }) =>
  json(200, await waysToProve(ctx, account.id)),
)

export const postProof = route({ auth: 'account', proof: 'session', limit: 'account', body: Proof }, async (call) => {
  await proveByPassword(call.ctx, call.account.id, sessionOf(call), call.body.password, attemptOf(call))
  return nothing()
})

export const getKeys = route({ auth: 'account', proof: 'session', limit: 'account' }, async (call) => {
  return json(200, { keys: await listKeys(call.ctx, call.account.id) })
})

export const postKey = route({ auth: 'account', proof: 'recent', limit: 'account', body: CreateApiKey }, async (call) => {
  return json(201, await createKey(call.ctx, call.account.id, call.body))
})

export const removeKey = route({ auth: 'account', proof: 'recent', limit: 'account' }, async (call) => {
  await deleteKey(call.ctx, call.account.id, call.params.id ?? '')
  return nothing()
})

export const getSessions = route({ auth: 'account', proof: 'session', limit: 'account' }, async (call) => {
  const { id } = sessionOf(call)
  return json(200, { sessions: await listSessions(call.ctx, call.account.id, id) })
})

export const removeSession = route({ auth: 'account', proof: 'recent', limit: 'account' }, async (call) => {
  await endSession(call.ctx, call.account.id, call.params.id ?? '')
  return nothing()
})

export const removeOtherSessions = route({ auth: 'account', proof: 'recent', limit: 'account' }, async (call) => {
  await endOtherSessions(call.ctx, call.account.id, sessionOf(call).id)
  return nothing()
})

export const postClaim = route(
  { auth: 'account', proof: 'key', limit: 'account', body: ClaimLinks },
  async ({ ctx, account, body }) => {
    const { links, refused } = await claimLinks(ctx, account.id, body.tokens)
    return json(200, { claimed: links.map((link) => toView(link, ctx.domains)), refused })
  },
)

export const getOverview = route(
  { auth: 'account', proof: 'key', limit: 'account', query: OverviewQuery },
  async ({ ctx, account, query }) => json(200, await ctx.overviews.of(account.id, query.days)),
)

export const postExport = route({ auth: 'account', proof: 'recent', limit: 'account' }, async ({ ctx, account, address }) =>
  jobAnswer(ctx, await exportAccount(ctx, { account, address })),
)

/** Makes the first admin, who is signed in with the answer. */
export const postSetup = route({ auth: 'anyone', limit: 'setup', body: SetupInput }, async ({ ctx, request, address, body }) => {
  await setUp(ctx, body)
  const headers = new Headers({ 'user-agent': request.headers.get('user-agent') ?? '', [CLIENT_HEADER]: address })
  const { email, password } = body
  const signedIn = await ctx.auth.api.signInEmail({ body: { email, password }, headers, asResponse: true })
  const user = await ctx.db.read((client) => client.user.findUniqueOrThrow({ where: { email: email.toLowerCase() } }))
  const answer = json(201, await viewAccount(ctx, user.id))
  for (const cookie of signedIn.headers.getSetCookie()) answer.headers.append('Set-Cookie', cookie)
  return answer
})
