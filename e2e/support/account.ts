import { expect, type Page } from '@playwright/test'
import { query } from './database'
import { BASE_URL } from './settings'

export interface Account {
  name: string
  email: string
  password: string
  handle: string
}

let count = 0

/** Makes an account and signs this browser in with it, through the API. */
export async function signUp(page: Page, name = 'Ada Löwenstein'): Promise<Account> {
  count += 1
  const email = `ada-${process.pid}-${Date.now()}-${count}@example.com`
  const password = 'correct horse battery'
  const data = { name, email, password }
  const answer = await page.request.post('/api/auth/sign-up/email', { headers: { Origin: BASE_URL }, data })
  expect(answer.status()).toBe(200)
  const account = (await (await page.request.get('/api/v1/account')).json()) as { handle: string }
  return { ...data, handle: account.handle }
}

/** Makes the sessions of an account old, so that what matters asks for its password. */
export const signedInAWhileAgo = (email: string) =>
  query(
    'UPDATE Session SET createdAt = createdAt - INTERVAL 1 HOUR, provedAt = NULL WHERE userId = (SELECT id FROM User WHERE email = ?)',
    [email],
  )

interface Link {
  id: string
  code: string
  shortUrl: string
}

/** Makes a link for the account that this browser is signed in with. */
export async function makeOwn(page: Page, body: Record<string, unknown>): Promise<Link> {
  const answer = await page.request.post('/api/v1/links', { headers: { Origin: BASE_URL }, data: body })
  expect(answer.status()).toBe(201)
  return answer.json()
}
