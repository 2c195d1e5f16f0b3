import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type APIRequestContext, test as base, expect } from '@playwright/test'
import { signUp } from './account'
import { DashboardPage } from './dashboard-page'
import { FrontPage } from './front-page'

export { expect }

/**
 * The tag of a test that need not run on the phone too: it is about what is said, sent or kept, and where that stands on a phone
 * is held by another test there.
 */
export const ANY_SIZE = '@any-size'

interface Link {
  code: string
  shortUrl: string
  url: string
  manageToken: string
}

interface Fixtures {
  /** The front page, opened. */
  front: FrontPage
  /** The dashboard of a new account, not opened yet. */
  dashboard: DashboardPage
  /** Makes a link through the API. */
  makeLink: (body: Record<string, unknown>) => Promise<Link>
  /** The status of a GET of a short URL, not followed. */
  statusOf: (shortUrl: string) => Promise<number>
}

interface WorkerFixtures {
  /** Address of a site that links lead to: it answers every path with a page that names it. */
  destination: string
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  destination: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants to see that nothing is taken
    async ({}, use) => {
      const server = createServer((request, response) => {
        response.setHeader('Content-Type', 'text/html; charset=utf-8')
        response.end(`<!doctype html><html lang="en"><title>Arrived</title><h1>Arrived at ${request.url}</h1></html>`)
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as AddressInfo
      await use(`http://127.0.0.1:${port}`)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
    { scope: 'worker' },
  ],
  front: async ({ page }, use) => {
    const front = new FrontPage(page)
    await front.open()
    await use(front)
  },
  dashboard: async ({ page }, use) => {
    await signUp(page)
    await use(new DashboardPage(page))
  },
  makeLink: async ({ request }, use) => {
    await use(async (body) => {
      const response = await request.post('/api/v1/links', { data: body })
      expect(response.status()).toBe(201)
      return response.json()
    })
  },
  statusOf: async ({ request }, use) => {
    await use((shortUrl) => statusOf(request, shortUrl))
  },
})

async function statusOf(request: APIRequestContext, shortUrl: string): Promise<number> {
  return (await request.get(shortUrl, { maxRedirects: 0 })).status()
}

let count = 0

/** A code that no other test uses. */
export function uniqueCode(stem = 'e2e'): string {
  count += 1
  return `${stem}-${process.pid}-${count}`
}
