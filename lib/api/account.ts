import { claimLinks } from '@/lib/accounts/claim'
import { cookieName, readCookies } from '@/lib/accounts/cookies'
import { exportAccount } from '@/lib/accounts/export'
import type { SessionFacts } from '@/lib/accounts/identify'
import { createKey, deleteKey, listKeys } from '@/lib/accounts/keys'
import { CLIENT_HEADER } from '@/lib/accounts/names'
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
  Proof,
  ProofWays,
  Sessions,
  SetupInput,
  UpdateAccount,
} from '@/lib/accounts/schemas'
import { endOtherSessions, endSession, listSessions } from '@/lib/accounts/sessions'
import { setUp } from '@/lib/accounts/setup'
import { updateAccount, viewAccount } from '@/lib/accounts/view'
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
  { ...BY_KEY, id: 'getAccount', summary: 'Look at your account', answers: { 200: ['The account', AccountView] } },
  ({ ctx, account }) => viewAccount(ctx, account.id),
)

export const patchAccount = endpoint(
  'PATCH /api/v1/account',
  {
    ...BY_KEY,
    id: 'updateAccount',
    summary: 'Change your account',
    description: 'E-mail, password, second factor and passkeys are changed on the settings page.',
    body: UpdateAccount,
    answers: { 200: ['The account as it is now', AccountView] },
  },
  ({ ctx, account, body }) => updateAccount(ctx, account.id, body),
)

// It asks for the password itself, or for a recent sign-in where there is none.
export const removeAccount = endpoint(
  'DELETE /api/v1/account',
  {
    ...BY_SESSION,
    id: 'deleteAccount',
    summary: 'Delete your account',
    description: 'It is closed at once; what becomes of its links follows within minutes. API keys may not do this.',
    body: DeleteAccount,
    answers: { 204: 'Closed' },
    errors: [409],
  },
  (call) => deleteOwnAccount(call.ctx, call.account, sessionOf(call), call.body, attemptOf(call)),
)

export const getOverview = endpoint(
  'GET /api/v1/account/overview',
  {
    ...BY_KEY,
    id: 'getOverview',
    summary: 'Count the clicks of all your links',
    description: 'Days are those of UTC. Clicks by day and the most clicked links are up to a minute old.',
    query: OverviewQuery,
    answers: { 200: ['The numbers', Overview] },
  },
  ({ ctx, account, query }) => ctx.overviews.of(account.id, query.days),
)

export const postClaim = endpoint(
  'POST /api/v1/account/claim',
  {
    ...BY_KEY,
    id: 'claimLinks',
    summary: 'Make links that were made without an account yours',
    description: 'Their manage tokens stop working. Links that others were given too (`reuse`) stay with nobody.',
    body: ClaimLinks,
    answers: { 200: ['Those that are yours now', ClaimedLinks] },
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
    summary: 'Write down all that is kept of your account',
    description: 'A job, whose file is gzipped JSON: the account, its links with their clicks by day, the names of its keys.',
    answers: { 202: ['The job', JobView] },
  },
  async ({ ctx, account, address, locale }) => jobAnswer(ctx, await exportAccount(ctx, { account, address, locale })),
)

export const getProof = endpoint(
  'GET /api/v1/account/proof',
  { ...BY_SESSION, id: 'waysToProve', summary: 'List how you can show who you are', answers: { 200: ['The ways', ProofWays] } },
  ({ ctx, account }) => waysToProve(ctx, account.id),
)

export const postProof = endpoint(
  'POST /api/v1/account/proof',
  {
    ...BY_SESSION,
    id: 'prove',
    summary: 'Show who you are once more',
    description:
      'What decides who gets into an account answers 403 with the code `proof_needed` where the last sign-in or password ' +
      'is more than 15 minutes old. Send the password here, or sign in again by another way; then repeat the request.',
    body: Proof,
    answers: { 204: 'The session counts as recent from now on' },
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
    summary: 'Make an API key',
    description: 'The key itself is in this answer and nowhere else: only a hash of it is kept.',
    body: CreateApiKey,
    answers: { 201: ['The key', ApiKeyView] },
    errors: [409],
  },
  ({ ctx, account, locale, body }) => createKey(ctx, account.id, body, locale),
)

export const removeKey = endpoint(
  'DELETE /api/v1/account/keys/{id}',
  { ...BY_RECENT, id: 'deleteKey', summary: 'Take an API key back', answers: { 204: 'It is refused from now on' } },
  ({ ctx, account, params }) => deleteKey(ctx, account.id, params.id ?? ''),
)

export const getSessions = endpoint(
  'GET /api/v1/account/sessions',
  {
    ...BY_SESSION,
    id: 'listSessions',
    summary: 'List where you are signed in',
    answers: { 200: ['The sessions, last seen first', Sessions] },
  },
  async (call) => ({ sessions: await listSessions(call.ctx, call.account.id, sessionOf(call).id) }),
)

export const removeOtherSessions = endpoint(
  'DELETE /api/v1/account/sessions',
  { ...BY_RECENT, id: 'endOtherSessions', summary: 'Sign out everywhere else', answers: { 204: 'Only this session is left' } },
  (call) => endOtherSessions(call.ctx, call.account.id, sessionOf(call).id),
)

export const removeSession = endpoint(
  'DELETE /api/v1/account/sessions/{id}',
  { ...BY_RECENT, id: 'endSession', summary: 'Sign out somewhere', answers: { 204: 'It has ended' } },
  ({ ctx, account, params }) => endSession(ctx, account.id, params.id ?? ''),
)

export const postSetup = endpoint(
  'POST /api/v1/setup',
  {
    auth: 'anyone',
    limit: 'setup',
    summary: 'Create the first admin',
    description: 'With the token that the server prints at its first start.',
    body: SetupInput,
    answers: { 201: ['The account, which is signed in with this answer', AccountView] },
    errors: [403, 404],
  },
  async ({ ctx, request, address, client, body }) => {
    await setUp(ctx, client, body)
    const headers = new Headers({ 'user-agent': request.headers.get('user-agent') ?? '', [CLIENT_HEADER]: address })
    const { email, password } = body
    const signedIn = await ctx.hashTurns.run(client, () =>
      ctx.auth.api.signInEmail({ body: { email, password }, headers, asResponse: true }),
    )
    const user = await ctx.db.read((client) => client.user.findUniqueOrThrow({ where: { email: email.toLowerCase() } }))
    const answer = json(201, await viewAccount(ctx, user.id))
    for (const cookie of signedIn.headers.getSetCookie()) answer.headers.append('Set-Cookie', cookie)
    return answer
  },
)
