import { claimLinks } from '@/lib/accounts/claim'
import { deleteOwnAccount } from '@/lib/accounts/delete-own'
import { exportAccount } from '@/lib/accounts/export'
import type { SessionFacts } from '@/lib/accounts/identify'
import { createKey, deleteKey, listKeys } from '@/lib/accounts/keys'
import { CLIENT_HEADER } from '@/lib/accounts/names'
import { ClaimLinks, CreateApiKey, DeleteAccount, OverviewQuery, SetupInput, UpdateAccount } from '@/lib/accounts/schemas'
import { endOtherSessions, endSession, listSessions } from '@/lib/accounts/sessions'
import { setUp } from '@/lib/accounts/setup'
import { updateAccount, viewAccount } from '@/lib/accounts/view'
import { TerseError } from '@/lib/errors'
import { toView } from '@/lib/links/view'
import { jobAnswer } from './jobs'
import { json, route } from './route'

/** @throws TerseError 'forbidden' for an API key: one that leaked must not be able to lock its owner out */
function sessionOf({ session }: { session: SessionFacts | null }): SessionFacts {
  if (session === null) throw new TerseError('forbidden', 'An API key may not do this. Sign in with a browser.')
  return session
}

const nothing = () => new Response(null, { status: 204, headers: { 'Cache-Control': 'no-store' } })

export const getAccount = route({ auth: 'account', limit: 'account' }, async ({ ctx, account }) =>
  json(200, await viewAccount(ctx, account.id)),
)

export const patchAccount = route({ auth: 'account', limit: 'account', body: UpdateAccount }, async ({ ctx, account, body }) =>
  json(200, await updateAccount(ctx, account.id, body)),
)

// It asks for the password, so each call is an attempt at it.
export const removeAccount = route({ auth: 'account', limit: 'signIn', body: DeleteAccount }, async (call) => {
  await deleteOwnAccount(call.ctx, call.account, sessionOf(call), call.body)
  return nothing()
})

export const getKeys = route({ auth: 'account', limit: 'account' }, async (call) => {
  sessionOf(call)
  return json(200, { keys: await listKeys(call.ctx, call.account.id) })
})

export const postKey = route({ auth: 'account', limit: 'account', body: CreateApiKey }, async (call) => {
  sessionOf(call)
  return json(201, await createKey(call.ctx, call.account.id, call.body))
})

export const removeKey = route({ auth: 'account', limit: 'account' }, async (call) => {
  sessionOf(call)
  await deleteKey(call.ctx, call.account.id, call.params.id ?? '')
  return nothing()
})

export const getSessions = route({ auth: 'account', limit: 'account' }, async (call) => {
  const { id } = sessionOf(call)
  return json(200, { sessions: await listSessions(call.ctx, call.account.id, id) })
})

export const removeSession = route({ auth: 'account', limit: 'account' }, async (call) => {
  sessionOf(call)
  await endSession(call.ctx, call.account.id, call.params.id ?? '')
  return nothing()
})

export const removeOtherSessions = route({ auth: 'account', limit: 'account' }, async (call) => {
  await endOtherSessions(call.ctx, call.account.id, sessionOf(call).id)
  return nothing()
})

export const postClaim = route({ auth: 'account', limit: 'account', body: ClaimLinks }, async ({ ctx, account, body }) => {
  const { links, refused } = await claimLinks(ctx, account.id, body.tokens)
  return json(200, { claimed: links.map((link) => toView(link, ctx.domains)), refused })
})

export const getOverview = route({ auth: 'account', limit: 'account', query: OverviewQuery }, async ({ ctx, account, query }) =>
  json(200, await ctx.overviews.of(account.id, query.days)),
)

export const postExport = route({ auth: 'account', limit: 'account' }, async ({ ctx, account, address }) =>
  jobAnswer(ctx, await exportAccount(ctx, { account, address })),
)

/** Makes the first admin, who is signed in with the answer. */
export const postSetup = route({ auth: 'anyone', limit: 'signUp', body: SetupInput }, async ({ ctx, request, address, body }) => {
  await setUp(ctx, body)
  const headers = new Headers({ 'user-agent': request.headers.get('user-agent') ?? '', [CLIENT_HEADER]: address })
  const { email, password } = body
  const signedIn = await ctx.auth.api.signInEmail({ body: { email, password }, headers, asResponse: true })
  const user = await ctx.db.read((client) => client.user.findUniqueOrThrow({ where: { email: email.toLowerCase() } }))
  const answer = json(201, await viewAccount(ctx, user.id))
  for (const cookie of signedIn.headers.getSetCookie()) answer.headers.append('Set-Cookie', cookie)
  return answer
})
