import createFetchClient, { type Client, type Middleware } from 'openapi-fetch'
import { addressOf, type LinkAddress } from './address.js'
import type { components, operations, paths } from './generated/api.js'
import { problemOf, type TerseError } from './problem.js'
import { stayingHere } from './redirects.js'
import { retrying } from './retry.js'

type Schemas = components['schemas']
type QueryOf<Id extends keyof operations> = NonNullable<operations[Id]['parameters']['query']>

export type Link = Schemas['Link']
export type CreateLink = Schemas['CreateLink']
export type UpdateLink = Schemas['UpdateLink']
export type Stats = Schemas['Stats']
export type ScopeStats = Schemas['ScopeStats']
export type Job = Schemas['Job']
export type JobItem = Schemas['JobItem']
export type Account = Schemas['Account']
export type ListLinks = Omit<QueryOf<'listLinks'>, 'cursor' | 'total'>
export type StatsQuery = Omit<QueryOf<'getStats'>, 'domain'>
export type ScopeStatsQuery = QueryOf<'getScopeStats'>
export type MoveLinks = Schemas['MoveLinks']
export type ImportFrom = NonNullable<QueryOf<'importLinks'>['from']>
export type ExportFormat = NonNullable<QueryOf<'exportLinks'>['format']>

export interface ClientOptions {
  /** The address of the server, such as `https://go.example.com`. */
  url: string
  /** An API key, or the manage token of one link. Without it, links are created without an account. */
  key?: string | undefined
  /** Used instead of the global one. */
  fetch?: typeof globalThis.fetch
  /** How often a request that failed is sent again where that can do no harm. Default: 3. */
  retries?: number
  /** How long one try may take until its answer begins, in ms. Default: 30,000. */
  timeout?: number
  /** Ends all requests of this client. */
  signal?: AbortSignal
}

/** A link, and the version by which it can be changed only if nobody edited it since. */
export interface Versioned {
  link: Link
  etag: string
}

/** A change of this version of a link only. @see Versioned */
export interface IfMatch {
  ifMatch?: string | undefined
}

export interface ImportOptions {
  /** The media type: `text/csv`, `application/json` or `application/jsonl`. */
  type: string
  /** Says what would come of each row, and creates nothing until the job is started. */
  dryRun?: boolean
  /** What wrote the file, if not a Terse server. */
  from?: ImportFrom
  /** With `from`: the domain that the links are put on. */
  domain?: string
  /** With `from`: the site that destinations belong to which are only paths. */
  site?: string
  /** With `from`: what columns are, by their names, where that is not told by these; '': nothing. */
  columns?: Readonly<Record<string, string>>
  /** An account here for each owner of the old system, by handle, username or email. */
  owners?: Owners
}

export type Owners = Readonly<Record<string, string>>

export type Terse = ReturnType<typeof createClient>

/**
 * A client of one server. Every call throws a `TerseError` for an answer that is no success, and sends a request that failed in
 * passing again. Links are created with an Idempotency-Key, so that no link is created twice by that.
 */
export function createClient({ url, key, fetch = globalThis.fetch, retries = 3, timeout = 30_000, signal }: ClientOptions) {
  const api: Client<paths> = createFetchClient<paths>({
    baseUrl: url.replace(/\/+$/, ''),
    fetch: stayingHere(retrying(fetch, { retries, timeout })),
    headers: { Accept: 'application/json', ...(key && { Authorization: `Bearer ${key}` }) },
    ...(signal && { signal }),
  })
  api.use(MIDDLEWARE)

  const links = {
    /** Creates a link, or with `reuse` returns an existing one. */
    async create(body: CreateLink): Promise<Link> {
      return (await api.POST('/api/v1/links', { body })).data as Link
    },

    async get(link: string | LinkAddress): Promise<Link> {
      return (await links.read(link)).link
    },

    async read(link: string | LinkAddress): Promise<Versioned> {
      const { data, response } = await api.GET('/api/v1/links/{code}', { params: of(link) })
      return { link: data as Link, etag: response.headers.get('etag') ?? '*' }
    },

    /** Changes the named fields of a link. @throws TerseError `precondition_failed` for another version */
    async edit(link: string | LinkAddress, body: UpdateLink, { ifMatch }: IfMatch = {}): Promise<Link> {
      const params = { ...of(link), ...(ifMatch && { header: { 'If-Match': ifMatch } }) }
      return (await api.PATCH('/api/v1/links/{code}', { params, body })).data as Link
    },

    /** Deletes a link, which can be restored. @throws TerseError `precondition_failed` for another version */
    async delete(link: string | LinkAddress, { ifMatch }: IfMatch = {}): Promise<void> {
      const params = { ...of(link), ...(ifMatch && { header: { 'If-Match': ifMatch } }) }
      await api.DELETE('/api/v1/links/{code}', { params })
    },

    async restore(link: string | LinkAddress): Promise<Link> {
      return (await api.POST('/api/v1/links/{code}/restore', { params: of(link) })).data as Link
    },

    /** All links of the account that match, page by page as they are asked for. */
    list(query: ListLinks = {}): AsyncGenerator<Link, void, undefined> {
      return pages(async (cursor) => {
        const { data } = await api.GET('/api/v1/links', { params: { query: { ...query, ...cursor } } })
        return { items: data?.links ?? [], nextCursor: data?.nextCursor ?? null }
      })
    },

    async stats(link: string | LinkAddress, query: StatsQuery = {}): Promise<Stats> {
      const { path, query: domain } = of(link)
      const params = { path, query: { ...query, ...domain } }
      return (await api.GET('/api/v1/links/{code}/stats', { params })).data as Stats
    },

    /** A QR code as the server draws it. */
    async qr(link: string | LinkAddress, format: 'svg' | 'png' | 'pdf'): Promise<Uint8Array> {
      const { path, query } = of(link)
      const params = { path, query: { ...query, format } }
      const { data } = await api.GET('/api/v1/links/{code}/qr', { params, parseAs: 'arrayBuffer' })
      return new Uint8Array(data as ArrayBuffer)
    },

    /** All links of the account, or those of a domain, in a file that an import or another server reads, as it comes. */
    async export(
      format: ExportFormat = 'csv',
      { domain }: { domain?: string | undefined } = {},
    ): Promise<ReadableStream<Uint8Array>> {
      const query = { format, ...(domain !== undefined && { host: domain }) }
      const { data } = await api.GET('/api/v1/links/export', { params: { query }, parseAs: 'stream' })
      return data as ReadableStream<Uint8Array>
    },

    /** Starts an import. Follow it with `jobs.follow`. */
    async import(file: Blob, { type, dryRun = false, columns, owners, ...where }: ImportOptions): Promise<Job> {
      const { data } = await api.POST('/api/v1/links/import', {
        params: {
          query: {
            ...where,
            dryRun: dryRun ? 'true' : 'false',
            ...(columns && { columns: JSON.stringify(columns) }),
            ...(owners && { owners: JSON.stringify(owners) }),
          },
        },
        // A file, and not the text that the types take for one.
        body: file as unknown as string,
        bodySerializer: (body) => body as unknown as Blob,
        headers: { 'Content-Type': type },
      })
      return data as Job
    },

    /** Starts an import of what another service lists by its API. Follow it with `jobs.follow`. */
    async move(body: MoveLinks): Promise<Job> {
      return (await api.POST('/api/v1/links/move', { body })).data as Job
    },
  }

  const jobs = {
    async get(number: string): Promise<Job> {
      return (await api.GET('/api/v1/jobs/{number}', { params: { path: { number } } })).data as Job
    },

    /** What came of each row. */
    items(number: string, outcome?: JobItem['outcome']): AsyncGenerator<JobItem, void, undefined> {
      return pages(async (cursor) => {
        const query = { ...cursor, ...(outcome && { outcome }) }
        const { data } = await api.GET('/api/v1/jobs/{number}/items', { params: { path: { number }, query } })
        return { items: data?.items ?? [], nextCursor: data?.nextCursor ?? null }
      })
    },

    /** Creates what a dry run checked. Follow it with `jobs.follow`. */
    async start(number: string, owners?: Owners): Promise<Job> {
      const body = owners && { owners }
      return (await api.POST('/api/v1/jobs/{number}/start', { params: { path: { number } }, body })).data as Job
    },

    /** Starts a job that deletes what an import created and nobody edited since. */
    async undo(number: string): Promise<Job> {
      return (await api.POST('/api/v1/jobs/{number}/undo', { params: { path: { number } } })).data as Job
    },

    /** Starts a job that compares the links of an import with what the old service answers. Its failed items are what differs. */
    async verify(number: string, address: string): Promise<Job> {
      const { data } = await api.POST('/api/v1/jobs/{number}/verify', { params: { path: { number } }, body: { address } })
      return data as Job
    },

    /** The job, each time it was asked for, until it goes on no longer: done, failed, cancelled, paused, or a dry run checked. */
    async *follow(number: string, { interval = 500 }: { interval?: number } = {}): AsyncGenerator<Job, void, undefined> {
      for (;;) {
        const job = await jobs.get(number)
        yield job
        if (job.state !== 'queued' && job.state !== 'running') return
        await new Promise((resolve) => setTimeout(resolve, interval))
      }
    },
  }

  return {
    /** Every endpoint by its path, typed by the server's OpenAPI document. */
    api,
    links,
    jobs,

    async account(): Promise<Account> {
      return (await api.GET('/api/v1/account')).data as Account
    },

    /** The statistics of several links: a tag, a folder, a domain, or all. Waits while they are counted for the first time. */
    async stats(query: ScopeStatsQuery = {}): Promise<ScopeStats> {
      for (;;) {
        const { data, response } = await api.GET('/api/v1/stats', { params: { query } })
        if (response.status === 200) return data as ScopeStats
        await new Promise((resolve) => setTimeout(resolve, 1000 * Number(response.headers.get('retry-after') ?? 1)))
      }
    },
  }
}

/** What every request is sent with, and every answer held to. */
const MIDDLEWARE: Middleware = {
  onRequest({ request, schemaPath }) {
    const isCreate = request.method === 'POST' && schemaPath === '/api/v1/links'
    if (isCreate && !request.headers.has('idempotency-key')) request.headers.set('Idempotency-Key', crypto.randomUUID())
    return request
  },
  async onResponse({ response }): Promise<undefined> {
    if (!response.ok) throw (await problemOf(response)) satisfies TerseError
  },
}

/** One link, as the parameters of a request. */
function of(link: string | LinkAddress) {
  const { code, domain } = addressOf(link)
  return { path: { code }, query: domain === undefined ? {} : { domain } }
}

/** Every item of a list, whose pages are asked for one after the other. */
async function* pages<T>(
  ask: (cursor: { cursor?: string }) => Promise<{ items: readonly T[]; nextCursor: string | null }>,
): AsyncGenerator<T, void, undefined> {
  let cursor: { cursor?: string } = {}
  for (;;) {
    const { items, nextCursor } = await ask(cursor)
    yield* items
    if (nextCursor === null) return
    cursor = { cursor: nextCursor }
  }
}
