import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

export const CLIENT = { id: 'terse', secret: 'a secret of the provider' }

/** Who signs in at the provider. */
export interface Person {
  sub: string
  email: string
  email_verified: boolean
  name?: string
}

interface Grant {
  person: Person
  nonce: string
  challenge: string
  redirectUri: string
}

/** A small OpenID Connect provider: discovery, keys, and the code flow with PKCE. */
export class OidcProvider {
  private readonly grants = new Map<string, Grant>()
  /** Signs with a key that it does not publish, as an impostor would. */
  forging = false
  asked = 0

  /** Who signs in unless a test says otherwise: every visitor of its page is sent back as this one. */
  visitor: Person | null = null

  private constructor(
    private readonly server: Server,
    readonly issuer: string,
    private readonly keys: { own: CryptoKey; forged: CryptoKey; published: object },
  ) {}

  /** @param port 0: one that is free */
  static async open(port = 0): Promise<OidcProvider> {
    const [own, forged] = await Promise.all([generateKeyPair('RS256', { extractable: true }), generateKeyPair('RS256')])
    const published = { ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
    const server = createServer((request, response) => void provider.answer(request, response))
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const provider = new OidcProvider(server, issuer, { own: own.privateKey, forged: forged.privateKey, published })
    return provider
  }

  close(): void {
    this.server.closeAllConnections()
    this.server.close()
  }

  /** What the provider does once a person has agreed. @returns where it sends the browser */
  agree(authorization: URL, person: Person): URL {
    const { searchParams: asked } = authorization
    const code = randomBytes(12).toString('hex')
    this.grants.set(code, {
      person,
      nonce: asked.get('nonce') ?? '',
      challenge: asked.get('code_challenge') ?? '',
      redirectUri: asked.get('redirect_uri') ?? '',
    })
    const back = new URL(asked.get('redirect_uri') ?? '')
    back.searchParams.set('code', code)
    back.searchParams.set('state', asked.get('state') ?? '')
    return back
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.asked += 1
    const asked = new URL(request.url ?? '', this.issuer)
    if (asked.pathname === '/authorize' && this.visitor) {
      response.writeHead(302, { location: this.agree(asked, this.visitor).href }).end()
      return
    }
    const { status, body } = await this.answerTo(request)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

  private async answerTo(request: IncomingMessage): Promise<{ status: number; body: object }> {
    switch (request.url) {
      case '/.well-known/openid-configuration':
        return {
          status: 200,
          body: {
            issuer: this.issuer,
            authorization_endpoint: `${this.issuer}/authorize`,
            token_endpoint: `${this.issuer}/token`,
            jwks_uri: `${this.issuer}/keys`,
            id_token_signing_alg_values_supported: ['RS256'],
          },
        }
      case '/keys':
        return { status: 200, body: { keys: [this.keys.published] } }
      case '/token':
        return this.exchange(new URLSearchParams(await textOf(request)), request.headers.authorization)
      default:
        return { status: 404, body: {} }
    }
  }

  private async exchange(given: URLSearchParams, authorization = ''): Promise<{ status: number; body: object }> {
    const grant = this.grants.get(given.get('code') ?? '')
    this.grants.delete(given.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(given.get('code_verifier') ?? '')
      .digest('base64url')
    const basic = `Basic ${Buffer.from(`${CLIENT.id}:${CLIENT.secret}`).toString('base64')}`
    const isClient = given.get('client_secret') === CLIENT.secret || authorization === basic
    if (!grant || !isClient || challenge !== grant.challenge || given.get('redirect_uri') !== grant.redirectUri) {
      return { status: 400, body: { error: 'invalid_grant' } }
    }
    const { person, nonce } = grant
    const token = await new SignJWT({ ...person, nonce })
      .setProtectedHeader({ alg: 'RS256', kid: 'one' })
      .setIssuer(this.issuer)
      .setAudience(CLIENT.id)
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(this.forging ? this.keys.forged : this.keys.own)
    return { status: 200, body: { access_token: 'of no use', token_type: 'Bearer', expires_in: 300, id_token: token } }
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
