import type { z } from 'zod'
import { identify, type SessionFacts } from '@/lib/accounts/identify'
import type { Account, Actor } from '@/lib/actor'
import { isTerseError } from '@/lib/errors'
import { type Locale, localeOf } from '@/lib/i18n/languages'
import { limitKey } from '@/lib/net/address'
import { UNKNOWN_CLIENT } from '@/lib/net/clients'
import type { EachPolicy } from '@/lib/net/limits'
import { type Runtime, runtime } from '@/lib/runtime'
import type { ListType } from '@/lib/tools/list-size'
import { validate } from '@/lib/tools/validate'
import { type Audience, authorise, type Proof } from './authorise'
import { type FileBody, readBody, readFile, readList, type Upload, type UploadTypes, uploadOf } from './body'
import { decoded, type Params, parametersOf } from './path'
import { json, problemOf } from './problem'

/** A good answer: what it is, and the schema of its body, JSON unless another type is named. In words alone: it has no body. */
export type Answer = string | readonly [description: string, schema: z.ZodType, mediaType?: string]

/** What the documentation alone says of an endpoint. */
export interface Documented {
  summary: string
  description?: string
  /** The operationId, which stays the same from release to release; made of method and path unless given. */
  id?: string
  /** Describes parameters of the path. Each comes to the handler as text, which decides what there is by that name. */
  params?: z.ZodObject
  headers?: z.ZodObject
  answers: Partial<Record<200 | 201 | 202 | 204, Answer>>
  /** Statuses of refusals besides those that follow from who may call it and what it takes (lib/api/openapi.ts). */
  errors?: readonly number[]
}

/** Method and path, with parameters in braces: `GET /api/v1/links/{code}`. A `*` at the end stands for any rest. */
export type At = `${'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT'} /api/${string}`

/** What every endpoint states. */
type Options<B extends z.ZodType, Q extends z.ZodType, A extends Audience> = Documented & {
  /** The rate limit that each call counts towards. It limits, and decides nothing else. */
  limit: EachPolicy
  /** Schema of the body; without one a body is not read. */
  body?: B
  /** A list in this form is taken as the body, as large as lib/tools/list-size.ts says; otherwise JSON. */
  bodyType?: ListType
  /** How large that can be, where not as such lists are: in MB. */
  bodyMb?: number
  /** The body is a file of one of these types. */
  file?: FileBody
  /** The body is read as it comes. */
  upload?: UploadTypes
  /** Schema of the query parameters. */
  query?: Q
} & (A extends 'anyone' | 'link' ? { auth: A; proof?: undefined } : { auth: A; proof: Proof })

/** All that is known of an endpoint but what it does. */
export interface Description extends Documented {
  method: string
  path: string
  auth: Audience
  proof: Proof
  /** null: it is not limited, and does not ask who calls. */
  limit: EachPolicy | null
  body?: z.ZodType | undefined
  bodyType?: ListType | undefined
  file?: FileBody | undefined
  upload?: UploadTypes | undefined
  query?: z.ZodType | undefined
  /** An admin’s change, which is written to the audit log. */
  isAudited?: true
}

/** Answers a request, whose path was taken apart already. */
export type Handler = (request: Request, context: { params: Promise<Params> }) => Promise<Response>

export type Endpoint = Handler & { readonly spec: Description }

export interface Call<B, Q, A extends Audience = Audience> {
  ctx: Runtime
  actor: Actor
  /** The caller's account. */
  account: A extends 'anyone' | 'link' ? Account | null : Account
  /** null for those without an account, and for API keys. */
  session: SessionFacts | null
  /** The caller's address. */
  address: string
  /** By which the caller is rate-limited: the address, or its /64. */
  client: string
  request: Request
  /** The language to answer in. */
  readonly locale: Locale
  params: Params
  body: B
  /** The file that was sent; empty where none is asked for. */
  file: Uint8Array
  /** The body that is read as it comes; empty where none is asked for. */
  upload: Upload
  query: Q
}

/**
 * One endpoint of the API, said once. Rate limit, authentication, authorisation, validation, the form of errors and the
 * documentation follow from what it states; the handler is one call into the domain.
 * @param handle returns what is answered as JSON, with the one good status that there is; or a whole Response
 */
export function endpoint<A extends Audience, B extends z.ZodType = z.ZodUndefined, Q extends z.ZodType = z.ZodUndefined>(
  at: At,
  options: Options<B, Q, A>,
  handle: (call: Call<z.output<B>, z.output<Q>, A>) => Promise<unknown>,
): Endpoint {
  const spec: Description = { ...placeOf(at), ...options, proof: options.proof ?? 'key' }
  const answer: Handler = async (request, context) => {
    const begun = performance.now()
    const ctx = await runtime()
    let response: Response
    try {
      const { address } = ctx.scope.getStore()?.client ?? UNKNOWN_CLIENT
      const client = limitKey(address)
      await ctx.limits.consume(options.limit, client)
      const { actor: identified, session, cookies } = await identify(ctx, request.headers, true)
      const actor: Actor = { ...identified, origin: { address, isJob: false } }
      authorise(spec, actor, session, request, ctx.config.BASE_URL)
      const { bodyType } = options
      const body = bodyType
        ? await readList(request, bodyType, options.bodyMb)
        : options.body && (await readBody(request, options.body))
      const file = options.file ? await readFile(request, options.file) : NO_FILE
      const upload = options.upload ? uploadOf(request, options.upload) : NO_UPLOAD
      const query = options.query ? validate(options.query, parametersOf(request)) : undefined
      const params = decoded(await context.params)
      const call = {
        ...{ ctx, actor, account: actor.account, session, address, client, request, params, body, file, upload, query },
        get locale() {
          return localeOf(request.headers)
        },
      }
      const who = actor.ownerId ?? actor.manageToken ?? client
      const result = await ctx.db.asker.run(who, () => handle(call as Call<z.output<B>, z.output<Q>, A>))
      response = result instanceof Response ? result : answerOf(spec, result)
      for (const cookie of cookies) response.headers.append('Set-Cookie', cookie)
    } catch (error) {
      if (!isTerseError(error)) ctx.log.error({ err: error, method: request.method }, 'an API request failed')
      response = problemOf(ctx, request, error)
    }
    ctx.metrics.api.observe({ method: request.method, status: response.status }, (performance.now() - begun) / 1000)
    return response
  }
  return Object.assign(answer, { spec })
}

const NO_FILE = new Uint8Array()
const NO_UPLOAD: Upload = { type: '', bytes: (async function* () {})() }

function answerOf({ answers }: Description, value: unknown): Response {
  const status = Number(Object.keys(answers)[0])
  return status === 204 ? new Response(null, { status, headers: { 'Cache-Control': 'no-store' } }) : json(status, value)
}

/** An endpoint that answers everyone alike: nobody is identified, and nothing is limited, before its handler is called. */
export function openEndpoint(at: At, answer: (request: Request) => Promise<Response>): Endpoint {
  const spec: Description = { ...placeOf(at), summary: '', answers: {}, auth: 'anyone', proof: 'key', limit: null }
  return Object.assign<Handler, { spec: Description }>((request) => answer(request), { spec })
}

function placeOf(at: At): { method: string; path: string } {
  const [method = '', path = ''] = at.split(' ')
  return { method, path }
}
