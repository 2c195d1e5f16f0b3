import type { Browser } from '@playwright/test'
import { signUp } from './account'
import { AdminPage } from './admin-page'
import { allPages, pathOf } from './all-pages'
import { BASE_URL } from './settings'

/** What pages need after the question mark to show their form. */
const QUERIES: Record<string, string> = {
  '/setup': '?token=a-token-of-the-start',
  '/sign-in': '?next=/dashboard/overview',
}

/** Other states of a page that have an address of their own. */
const SETUP = ['mail', 'signUp', 'import'].map((step) => `/admin/setup?step=${step}`)
const MORE = ['/sign-in?step=code', '/sign-in?step=backup', ...SETUP]

/** Every page of the app, by an address that shows it. */
export async function everyPath(browser: Browser): Promise<string[]> {
  const context = await browser.newContext({ baseURL: BASE_URL })
  const admin = new AdminPage(await context.newPage())
  await admin.signIn()
  const invited = await admin.page.request.post('/api/v1/admin/invitations', { headers: { Origin: BASE_URL }, data: {} })
  const { url } = (await invited.json()) as { url: string }
  const { handle } = (await (await admin.page.request.get('/api/v1/account')).json()) as { handle: string }
  const reset = await resetPath(browser, admin)
  await context.close()
  const parameters = {
    '/invite/[token] token': new URL(url).pathname.slice('/invite/'.length),
    '/profile/[handle] handle': handle,
    '/stats/[...code] code': 'no-such-link',
  }
  const queries: Record<string, string> = { ...QUERIES, '/reset-password': reset }
  // The others say that there is no page, and have no form.
  const pages = allPages().filter((page) => !page.endsWith('/[...rest]'))
  const paths = pages.map((page) => pathOf(page, parameters) + (queries[page] ?? ''))
  // Leaving comes last: the rest asks for the session.
  return [...paths.filter((path) => path !== '/logout'), ...MORE, '/logout']
}

/** What an address for a new password has after its path: of an account that nobody needs. */
async function resetPath(browser: Browser, { page }: AdminPage): Promise<string> {
  const context = await browser.newContext({ baseURL: BASE_URL })
  const { handle } = await signUp(await context.newPage())
  await context.close()
  const found = await page.request.get('/api/v1/admin/accounts', { params: { q: handle } })
  const { accounts } = (await found.json()) as { accounts: { id: string }[] }
  const reset = await page.request.post(`/api/v1/admin/accounts/${accounts[0]?.id}/reset`, { headers: { Origin: BASE_URL } })
  return new URL(((await reset.json()) as { url: string }).url).search
}
