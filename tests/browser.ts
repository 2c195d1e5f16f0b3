import { type Answer, type App, request } from './harness'

/** A browser: keeps cookies, and sends its origin along. */
export class Browser {
  private readonly cookies = new Map<string, string>()

  constructor(private readonly app: App) {}

  /** @param body sent as JSON, or, of another `type`, as the text that it is */
  async ask(method: string, path: string, body?: unknown, type = 'application/json'): Promise<Answer> {
    const answer = await request(this.app.port, path, {
      method,
      headers: {
        origin: `http://localhost:${this.app.port}`,
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body === undefined ? {} : { 'content-type': type }),
      },
      ...(body === undefined ? {} : { body: type === 'application/json' ? JSON.stringify(body) : String(body) }),
    })
    for (const cookie of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      this.cookies.set(name, value)
    }
    return answer
  }
}
