import { randomBytes } from 'node:crypto'
import { authResponse } from '@/lib/api/auth'
import { type Runtime, setRuntime } from '@/lib/runtime'
import { BASE_URL } from './runtime'

export const PASSWORD = 'correct horse battery'

/** An e-mail address that no other test uses. */
export const freshEmail = () => `${randomBytes(6).toString('hex')}@example.com`

/** An account that nobody signs in to, for what only wants one to be there. */
export async function keepAccount(
  { client }: Pick<Runtime['db'], 'client'>,
  id: string,
  role: 'user' | 'admin' = 'user',
): Promise<void> {
  const now = new Date()
  await client.user.createMany({
    data: [{ id, name: 'Someone', email: `${id}@example.com`, role, createdAt: now, updatedAt: now }],
  })
}

/** Runs `work`. @returns how many passwords were hashed meanwhile */
export async function hashesDuring({ auth }: Pick<Runtime, 'auth'>, work: () => Promise<unknown>): Promise<number> {
  const { password } = await (await auth()).$context
  const { hash } = password
  let hashes = 0
  password.hash = (text) => {
    hashes += 1
    return hash(text)
  }
  try {
    await work()
  } finally {
    password.hash = hash
  }
  return hashes
}

type RouteHandler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>

export interface Told {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test says by what it expects what there is
  body: any
}

/** A browser: it keeps cookies, and says which site it is on. */
export class Visitor {
  readonly cookies = new Map<string, string>()

  /**
   * @param ctx the process that answers, among those of this test file
   * @param address where it connects from; a browser may move
   */
  constructor(
    private readonly ctx: Runtime,
    public address = 'unknown',
  ) {}

  /** Asks better-auth: a POST with a body, else a GET. */
  auth(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Told> {
    return this.ask(authResponse, body === undefined ? 'GET' : 'POST', `/api/auth${path}`, body, headers)
  }

  /** Asks a route handler of ours. */
  async ask(
    handler: RouteHandler | typeof authResponse,
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    params: Record<string, string> = {},
  ): Promise<Told> {
    setRuntime(this.ctx)
    const request = new Request(BASE_URL + path, {
      method,
      headers: {
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        origin: BASE_URL,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const client = { address: this.address, network: '', viaProxy: false }
    const response = await this.ctx.scope.run({ client }, () => handler(request, { params: Promise.resolve(params) }))
    for (const cookie of response.headers.getSetCookie()) this.keep(cookie)
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json')
    return { status: response.status, headers: response.headers, body: isJson && text !== '' ? JSON.parse(text) : text }
  }

  protected keep(cookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    if (/max-age=0/i.test(cookie)) this.cookies.delete(name)
    else this.cookies.set(name, value)
  }

  /** Makes an account by e-mail and is signed in with it. @throws when that is refused */
  async signUp(email = freshEmail(), name = 'Someone'): Promise<{ id: string; email: string; handle: string }> {
    const { status, body } = await this.auth('/sign-up/email', { email, name, password: PASSWORD })
    if (status !== 200) throw new Error(`sign-up: ${status} ${JSON.stringify(body)}`)
    return { id: body.user.id, email, handle: body.user.username }
  }

  /** The same as an admin. */
  async signUpAsAdmin(email = freshEmail()): Promise<{ id: string; email: string; handle: string }> {
    const account = await this.signUp(email)
    await this.ctx.db.change("UPDATE User SET role = 'admin' WHERE id = ?", account.id)
    return account
  }

  signIn(email: string, password = PASSWORD): Promise<Told> {
    return this.auth('/sign-in/email', { email, password })
  }
}
