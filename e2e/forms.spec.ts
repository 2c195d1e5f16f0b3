import { type Browser, expect, type Locator, type Page, test } from '@playwright/test'
import { signUp } from './support/account'
import { AdminPage } from './support/admin-page'
import { allPages, pathOf } from './support/all-pages'
import { BASE_URL } from './support/settings'
import { withoutScripts } from './support/without-scripts'

/** What pages need after the question mark to show their form. */
const QUERIES: Record<string, string> = {
  '/setup': '?token=a-token-of-the-start',
  '/sign-in': '?next=/dashboard/overview',
}

/** Other states of a page that have an address of their own. */
const MORE = ['/sign-in?step=code', '/sign-in?step=backup']

const PERSONAS = {
  nobody: async () => undefined,
  account: async (page: Page) => void (await signUp(page)),
  admin: (page: Page) => new AdminPage(page).signIn(),
}

for (const [persona, signIn] of Object.entries(PERSONAS)) {
  test(`without scripts no form puts what was typed into an address, or loses it: ${persona}`, async ({ browser }) => {
    const paths = await everyPath(browser)
    const page = await withoutScripts(browser)
    await signIn(page)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    let tried = 0
    for (const path of paths) {
      const forms = ((await (await page.request.get(path)).text()).match(/<form\b/g) ?? []).length
      for (let index = 0; index < forms; index++) {
        await page.goto(path)
        await trySubmit(page, page.locator('form').nth(index), `${path}, form ${index + 1}`, asked)
        tried += 1
      }
    }
    // The front form, at the least.
    expect(tried).toBeGreaterThan(0)
    await page.context().close()
  })
}

/** Fills a form, sends it, and looks at where what was typed went. */
async function trySubmit(page: Page, form: Locator, where: string, asked: string[]): Promise<void> {
  expect.soft(await form.getAttribute('method'), `method of ${where}`).toBe('post')
  await showAll(page)
  for (const details of await form.locator('details:not([open]) > summary').all()) await details.click()
  const mark = `typed${Math.random().toString(36).slice(2)}`
  const typed = await fill(form, mark)
  asked.length = 0
  const [answer] = await Promise.all([
    page.waitForResponse((response) => response.request().isNavigationRequest()),
    form.locator('button[type=submit], button:not([type])').first().click(),
  ])
  await page.waitForLoadState()
  await showAll(page)
  expect
    .soft(
      [...asked, page.url()].filter((url) => url.includes(mark)),
      `addresses asked for by ${where}`,
    )
    .toEqual([])
  if (answer.status() < 400) return
  expect.soft(answer.status(), `answer to ${where}`).toBeLessThan(500)
  const said = page.getByRole('alert').or(page.locator('[aria-invalid=true]')).first()
  await expect.soft(said, `what ${where} says`).toBeVisible()
  for (const [name, value] of Object.entries(typed)) {
    const field = page.locator(`form [name="${name}"]`).first()
    const kept = (await field.getAttribute('type')) === 'password' ? '' : value
    await expect.soft(field, `${name} of ${where}`).toHaveValue(kept)
  }
  expect.soft(await page.content(), `passwords in ${where}`).not.toContain(`${mark}-secret`)
}

/** Shows what is hidden where no scripts run: it is there, and can be sent, while they are on their way. */
async function showAll(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const hiding of document.querySelectorAll('head noscript')) hiding.remove()
  })
}

/** Types something into every field that takes text. @returns it, by the field's name */
async function fill(form: Locator, mark: string): Promise<Record<string, string>> {
  const typed: Record<string, string> = {}
  for (const field of await form.locator('input:visible, textarea:visible').all()) {
    const [name, type] = [(await field.getAttribute('name')) ?? '', (await field.getAttribute('type')) ?? 'text']
    if (['checkbox', 'radio'].includes(type)) await field.check()
    else if (await field.isEditable()) {
      typed[name] = valueFor(type, name, mark)
      await field.fill(typed[name])
    }
  }
  return typed
}

/** Nothing that would be accepted: what is refused is what must be kept. */
function valueFor(type: string, name: string, mark: string): string {
  if (type === 'password') return `${mark}-secret`
  if (type === 'datetime-local') return '2020-02-03T04:05'
  if (type === 'email') return `${mark}@example.com`
  return name === 'code' ? mark.slice(0, 8) : mark
}

/** Every page of the app, by an address that shows it. */
async function everyPath(browser: Browser): Promise<string[]> {
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
