import { claimLinks } from '@/lib/accounts/claim'
import { cookieName, readCookies } from '@/lib/accounts/cookies'
import { exportAccount } from '@/lib/accounts/export'
import type { SessionFacts } from '@/lib/accounts/identify'
import { createKey, deleteKey, listKeys } from '@/lib/accounts/keys'
import { CLIENT_HEADER } from '@/lib/accounts/names'
import { preferencesOf, setPreferences } from '@/lib/accounts/preferences'
import { type PasswordAttempt, proveByPassword, waysToProve } from '@/lib/accounts/proof'
import { deleteOwnAccount } from '@/lib/accounts/remove'
import {
  AccountView,
  ApiKeys,
  ApiKeyView,
  ClaimedLinks,
  ClaimLinks,
  CreateApiKey,
  DeleteAccount,
  PreferencesView,
  Proof,
  ProofWays,
  Sessions,
  SetupInput,
  UpdateAccount,
  UpdatePreferences,
} from '@/lib/accounts/schemas'
import { endOtherSessions, endSession, listSessions } from '@/lib/accounts/sessions'
import { setUp } from '@/lib/accounts/setup'
import { updateAccount, viewAccount } from '@/lib/accounts/view'
import { withIcons } from '@/lib/favicons/favicons'
import { JobView } from '@/lib/jobs/schemas'
import { toView } from '@/lib/links/view'
import { Overview, OverviewQuery } from '@/lib/overview/schemas'
import { type Call, endpoint } from './endpoint'
import { jobAnswer } from './jobs'
import { json } from './problem'

const BY_KEY = { auth: 'account', proof: 'key', limit: 'account' } as const
const BY_SESSION = { ...BY_KEY, proof: 'session' } as const
const BY_RECENT = { ...BY_KEY, proof: 'recent' } as const

/** The session of an endpoint that asks for one. */
function sessionOf({ session }: { session: SessionFacts | null }): SessionFacts {
  if (session === null) throw new Error('this endpoint has to state that it needs a session')
  return session
}

/** From where a password is tried. */
const attemptOf = ({ ctx, client, request }: Pick<Call<unknown, unknown>, 'ctx' | 'client' | 'request'>): PasswordAttempt => ({
  client,
  device: readCookies(request.headers.get('cookie')).get(cookieName(ctx.config, 'device')),
})

export const getAccount = endpoint(
  'GET /api/v1/account',
  { ...BY_KEY, id: 'getAccount', summary: 'Retrieve your account', answers: { 200: ['The account', AccountView] } },
  ({ ctx, account }) => viewAccount(ctx, account.id),
)

export const patchAccount = endpoint(
  'PATCH /api/v1/account',
  {
    ...BY_KEY,
    id: 'updateAccount',
    summary: 'Edit your account',
    description: 'To change your email, password, two-factor authentication, or passkeys, use the settings page.',
    body: UpdateAccount,
    answers: { 200: ['The edited account', AccountView] },
  },
  ({ ctx, account, body }) => updateAccount(ctx, account.id, body),
)

export const getPreferences = endpoint(
  'GET /api/v1/account/preferences',
  {
    ...BY_KEY,
    id: 'getPreferences',
    summary: 'Retrieve your preferences',
    answers: { 200: ['The preferences', PreferencesView] },
  },
  ({ ctx, account }) => preferencesOf(ctx, account.id),
)

export const patchPreferences = endpoint(
  'PATCH /api/v1/account/preferences',
  {
    ...BY_KEY,
    id: 'updatePreferences',
    summary: 'Edit your preferences',
    body: UpdatePreferences,
    answers: { 200: ['The edited preferences', PreferencesView] },
  },
  ({ ctx, account, body }) => setPreferences(ctx, account.id, body),
)

// It asks for the password itself, or for a recent sign-in where there is none.
export const removeAccount = endpoint(
  'DELETE /api/v1/account',
  {
    ...BY_SESSION,
    id: 'deleteAccount',
    summary: 'Delete your account',
    description:
      'The account is closed immediately. Its links are kept or deleted within minutes. API keys can’t delete an account.',
    body: DeleteAccount,
    answers: { 204: 'The account is closed' },
    errors: [409],
  },
  (call) => deleteOwnAccount(call.ctx, call.account, sessionOf(call), call.body, attemptOf(call)),
)

export const getOverview = endpoint(
  'GET /api/v1/account/overview',
  {
    ...BY_KEY,
    id: 'getOverview',
    summary: 'Retrieve an overview of your links',
    description: 'Days are in UTC. Daily clicks and the most clicked links can be up to a minute old.',
    query: OverviewQuery,
    answers: { 200: ['The overview', Overview] },
  },
  async ({ ctx, account, query }) => withIcons(ctx, await ctx.overviews.of(account.id, query.days), account),
)

export const postClaim = endpoint(
  'POST /api/v1/account/claim',
  {
    ...BY_KEY,
    id: 'claimLinks',
    summary: 'Claim links created without an account',
    description:
      'Adds the links to your account. Their manage tokens stop working. Links that others got too, through `reuse`, can’t be claimed.',
    body: ClaimLinks,
    answers: { 200: ['The links that are now yours', ClaimedLinks] },
  },
  async ({ ctx, account, body }) => {
    const { links, refused } = await claimLinks(ctx, account.id, body.tokens)
    return { claimed: links.map((link) => toView(link, ctx.domains)), refused }
  },
)

export const postExport = endpoint(
  'POST /api/v1/account/export',
  {
    ...BY_RECENT,
    id: 'exportAccount',
    summary: 'Export your account',
    description:
      'Starts a job that creates a JSON file with your account, its series, UTM templates, shared statistics and webhooks, your links with their history, notes and daily clicks, and the details of your API keys. Keys, secrets and passwords aren’t in it. The files of your three newest exports are kept.',
    answers: { 202: ['The job', JobView] },
  },
  async ({ ctx, account, address, locale }) => jobAnswer(ctx, await exportAccount(ctx, { account, address, locale })),
)

export const getProof = endpoint(
  'GET /api/v1/account/proof',
  {
    ...BY_SESSION,
    id: 'waysToProve',
    summary: 'List ways to confirm your identity',
    answers: { 200: ['The available ways', ProofWays] },
  },
  ({ ctx, account }) => waysToProve(ctx, account.id),
)

export const postProof = endpoint(
  'POST /api/v1/account/proof',
  {
    ...BY_SESSION,
    id: 'prove',
    summary: 'Confirm your identity',
    description:
      'Requests that affect who can get into an account answer 403 with the code `proof_needed` if you last signed in or ' +
      'confirmed your password more than 15 minutes ago. Send your password here, or sign in again another way. Then retry.',
    body: Proof,
    answers: { 204: 'Your identity is confirmed for this session' },
  },
  (call) => proveByPassword(call.ctx, call.account.id, sessionOf(call), call.body.password, attemptOf(call)),
)

export const getKeys = endpoint(
  'GET /api/v1/account/keys',
  { ...BY_SESSION, id: 'listKeys', summary: 'List your API keys', answers: { 200: ['The keys, newest first', ApiKeys] } },
  async ({ ctx, account }) => ({ keys: await listKeys(ctx, account.id) }),
)

export const postKey = endpoint(
  'POST /api/v1/account/keys',
  {
    ...BY_RECENT,
    id: 'createKey',
    summary: 'Create an API key',
    description: 'The key is shown only in this response. Only a hash of it is stored.',
    body: CreateApiKey,
    answers: { 201: ['The new key', ApiKeyView] },
    errors: [409],
  },
  ({ ctx, account, locale, body }) => createKey(ctx, account.id, body, locale),
)

export const removeKey = endpoint(
  'DELETE /api/v1/account/keys/{id}',
  { ...BY_RECENT, id: 'deleteKey', summary: 'Revoke an API key', answers: { 204: 'The key no longer works' } },
  ({ ctx, account, params }) => deleteKey(ctx, account.id, params.id ?? ''),
)

export const getSessions = endpoint(
  'GET /api/v1/account/sessions',
  {
    ...BY_SESSION,
    id: 'listSessions',
    summary: 'List your sessions',
    answers: { 200: ['The sessions, most recently seen first', Sessions] },
  },
  async (call) => ({ sessions: await listSessions(call.ctx, call.account.id, sessionOf(call).id) }),
)

export const removeOtherSessions = endpoint(
  'DELETE /api/v1/account/sessions',
  {
    ...BY_RECENT,
    id: 'endOtherSessions',
    summary: 'Sign out everywhere else',
    answers: { 204: 'All other sessions are revoked' },
  },
  (call) => endOtherSessions(call.ctx, call.account.id, sessionOf(call).id),
)

export const removeSession = endpoint(
  'DELETE /api/v1/account/sessions/{id}',
  { ...BY_RECENT, id: 'endSession', summary: 'Revoke a session', answers: { 204: 'The session is revoked' } },
  ({ ctx, account, params }) => endSession(ctx, account.id, params.id ?? ''),
)

export const postSetup = endpoint(
  'POST /api/v1/setup',
  {
    auth: 'anyone',
    limit: 'setup',
    summary: 'Create the first admin',
    description: 'Requires the token that the server prints when it first starts.',
    body: SetupInput,
    answers: { 201: ['The new account, signed in by this response', AccountView] },
    errors: [403, 404],
  },
  async ({ ctx, request, address, client, locale, body }) => {
    await setUp(ctx, client, body, locale.language)
    const headers = new Headers({ 'user-agent': request.headers.get('user-agent') ?? '', [CLIENT_HEADER]: address })
    const { email, password } = body
    const auth = await ctx.auth()
    const signedIn = await ctx.hashTurns.run(client, () =>
      auth.api.signInEmail({ body: { email, password }, headers, asResponse: true }),
    )
    const user = await ctx.db.read((client) => client.user.findUniqueOrThrow({ where: { email: email.toLowerCase() } }))
    const answer = json(201, await viewAccount(ctx, user.id))
    for (const cookie of signedIn.headers.getSetCookie()) answer.headers.append('Set-Cookie', cookie)
    return answer
  },
)
