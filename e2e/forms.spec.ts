import { expect, type Locator, type Page, test } from '@playwright/test'
import { signUp } from './support/account'
import { AdminPage } from './support/admin-page'
import { everyPath } from './support/every-path'
import { withoutScripts } from './support/without-scripts'

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
      // The footer is the same everywhere.
      const within = path === '/' ? 'form' : 'main form'
      const html = await (await page.request.get(path)).text()
      const forms = ((path === '/' ? html : html.split('<main')[1]?.split('</main>')[0])?.match(/<form\b/g) ?? []).length
      for (let index = 0; index < forms; index++) {
        await page.goto(path)
        await trySubmit(page, page.locator(within).nth(index), `${path}, form ${index + 1}`, asked)
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
  // One may be within another.
  const closed = form.locator('details:not([open]) > summary')
  while ((await closed.count()) > 0) await closed.first().click()
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
    else if (type === 'file') await field.setInputFiles({ name: 'no-list.csv', mimeType: 'text/csv', buffer: Buffer.from(mark) })
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
