import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import {
  AccountView,
  ApiKeys,
  ApiKeyView,
  ClaimedLinks,
  ClaimLinks,
  CreateApiKey,
  DeleteAccount,
  Overview,
  OverviewQuery,
  Proof,
  ProofWays,
  Sessions,
  UpdateAccount,
} from '@/lib/accounts/schemas'
import { JobView } from '@/lib/jobs/schemas'
import { badBody, byKey, bySession, errors, jsonOf } from './parts'

const path = z.object({ id: z.string() })
const body = <S extends z.ZodType>(schema: S) => ({ required: true, content: jsonOf(schema) })
const refused = errors(401, 403, 429, 503)
/** Of what asks for a recent password as well. */
const RECENT = 'Asks for a sign-in or a password of the last 15 minutes: see `POST /api/v1/account/proof`.'

/** What an account does about itself. */
export const accountPaths: ZodOpenApiPathsObject = {
  '/api/v1/account': {
    get: {
      operationId: 'getAccount',
      summary: 'Look at your account',
      security: byKey,
      responses: { 200: { description: 'The account', content: jsonOf(AccountView) }, ...refused },
    },
    patch: {
      operationId: 'updateAccount',
      summary: 'Change your account',
      description: 'E-mail, password, second factor and passkeys are changed on the settings page.',
      security: byKey,
      requestBody: body(UpdateAccount),
      responses: { 200: { description: 'The account as it is now', content: jsonOf(AccountView) }, ...badBody, ...refused },
    },
    delete: {
      operationId: 'deleteAccount',
      summary: 'Delete your account',
      description: 'It is closed at once; what becomes of its links follows within minutes. API keys may not do this.',
      security: bySession,
      requestBody: body(DeleteAccount),
      responses: { 204: { description: 'Closed' }, ...errors(409), ...badBody, ...refused },
    },
  },
  '/api/v1/account/overview': {
    get: {
      operationId: 'getOverview',
      summary: 'Count the clicks of all your links',
      description: 'Days are those of UTC. Clicks by day and the most clicked links are up to a minute old.',
      security: byKey,
      requestParams: { query: OverviewQuery },
      responses: { 200: { description: 'The numbers', content: jsonOf(Overview) }, ...errors(422), ...refused },
    },
  },
  '/api/v1/account/claim': {
    post: {
      operationId: 'claimLinks',
      summary: 'Make links that were made without an account yours',
      description: 'Their manage tokens stop working. Links that others were given too (`reuse`) stay with nobody.',
      security: byKey,
      requestBody: body(ClaimLinks),
      responses: { 200: { description: 'Those that are yours now', content: jsonOf(ClaimedLinks) }, ...badBody, ...refused },
    },
  },
  '/api/v1/account/export': {
    post: {
      operationId: 'exportAccount',
      summary: 'Write down all that is kept of your account',
      description: 'A job, whose file is gzipped JSON: the account, its links with their clicks by day, the names of its keys.',
      security: byKey,
      responses: { 202: { description: 'The job', content: jsonOf(JobView) }, ...refused },
    },
  },
  '/api/v1/account/proof': {
    get: {
      operationId: 'waysToProve',
      summary: 'List how you can show who you are',
      security: bySession,
      responses: { 200: { description: 'The ways', content: jsonOf(ProofWays) }, ...refused },
    },
    post: {
      operationId: 'prove',
      summary: 'Show who you are once more',
      description:
        'What decides who gets into an account answers 403 with the code `proof_needed` where the last sign-in or password ' +
        'is more than 15 minutes old. Send the password here, or sign in again by another way; then repeat the request.',
      security: bySession,
      requestBody: body(Proof),
      responses: { 204: { description: 'The session counts as recent from now on' }, ...badBody, ...refused },
    },
  },
  '/api/v1/account/keys': {
    get: {
      operationId: 'listKeys',
      summary: 'List your API keys',
      security: bySession,
      responses: { 200: { description: 'The keys, newest first', content: jsonOf(ApiKeys) }, ...refused },
    },
    post: {
      operationId: 'createKey',
      summary: 'Make an API key',
      description: `The key itself is in this answer and nowhere else: only a hash of it is kept. ${RECENT}`,
      security: bySession,
      requestBody: body(CreateApiKey),
      responses: { 201: { description: 'The key', content: jsonOf(ApiKeyView) }, ...errors(409), ...badBody, ...refused },
    },
  },
  '/api/v1/account/keys/{id}': {
    delete: {
      operationId: 'deleteKey',
      summary: 'Take an API key back',
      description: RECENT,
      security: bySession,
      requestParams: { path },
      responses: { 204: { description: 'It is refused from now on' }, ...errors(404), ...refused },
    },
  },
  '/api/v1/account/sessions': {
    get: {
      operationId: 'listSessions',
      summary: 'List where you are signed in',
      security: bySession,
      responses: { 200: { description: 'The sessions, last seen first', content: jsonOf(Sessions) }, ...refused },
    },
    delete: {
      operationId: 'endOtherSessions',
      summary: 'Sign out everywhere else',
      description: RECENT,
      security: bySession,
      responses: { 204: { description: 'Only this session is left' }, ...refused },
    },
  },
  '/api/v1/account/sessions/{id}': {
    delete: {
      operationId: 'endSession',
      summary: 'Sign out somewhere',
      description: RECENT,
      security: bySession,
      requestParams: { path },
      responses: { 204: { description: 'It has ended' }, ...errors(404), ...refused },
    },
  },
}
