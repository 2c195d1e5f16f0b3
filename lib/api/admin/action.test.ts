import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../../../app/api/v1/admin')
const CHANGING = ['POST', 'PUT', 'PATCH', 'DELETE'] as const

type Handler = ((request: Request) => Response | Promise<Response>) & { auth?: string; audited?: boolean }

/** Every handler of admins' routes that changes something, by method and path. */
async function changingHandlers(): Promise<[string, Handler][]> {
  const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('route.ts'))
  const found = await Promise.all(
    files.map(async (file) => {
      const routes = (await import(pathToFileURL(join(ROOT, file)).href)) as Partial<Record<string, Handler>>
      return CHANGING.map((method): [string, Handler | undefined] => [`${method} ${file}`, routes[method]])
    }),
  )
  return found.flat().filter((entry): entry is [string, Handler] => entry[1] !== undefined)
}

describe('a route of admins', () => {
  it('leaves an entry in the audit log whenever it changes something, or has no such method', async () => {
    const handlers = await changingHandlers()
    const audited = handlers.filter(([, handler]) => handler.audited)
    const others = handlers.filter(([, handler]) => !handler.audited)
    expect(audited.length).toBeGreaterThan(15)
    expect(new Set(audited.map(([, { auth }]) => auth))).toEqual(new Set(['admin']))
    for (const [name, handler] of others) {
      expect((await handler(new Request('http://terse.test/'))).status, name).toBe(405)
    }
  })
})
