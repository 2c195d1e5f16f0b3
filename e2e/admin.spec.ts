import type { Page } from '@playwright/test'
import { makeOwn, signUp } from './support/account'
import { AdminPage } from './support/admin-page'
import { BASE_URL } from './support/settings'
import { test as base, expect, uniqueCode } from './support/test'

interface Fixtures {
  /** The pages for admins, signed in. */
  admin: AdminPage
  /** Another browser: of somebody else. */
  visitor: Page
}

const test = base.extend<Fixtures>({
  admin: async ({ page }, use) => {
    const admin = new AdminPage(page)
    await admin.signIn()
    await use(admin)
  },
  visitor: async ({ browser }, use) => {
    const context = await browser.newContext()
    await use(await context.newPage())
    await context.close()
  },
})

const HOSTILE = '<img src=x onerror="document.title=1">'

test('the pages are there for admins only', async ({ page }) => {
  const nobody = await page.request.get('/admin/links', { maxRedirects: 0 })
  expect(nobody.status()).toBe(307)
  await signUp(page)
  for (const section of ['', '/links', '/accounts', '/reports', '/blocklist', '/domains', '/system', '/audit']) {
    expect((await page.request.get(`/admin${section}`)).status(), section).toBe(404)
  }
})

test('an admin finds every page of theirs by a few letters', async ({ admin, page }) => {
  await admin.open('audit')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('blockl')
  await expect(admin.dialog.getByRole('option').first()).toContainText('Blocklist')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/admin\/blocklist$/)
})

test('a reported link is banned, and its visitors read why within a second', async ({
  admin,
  page,
  visitor,
  makeLink,
  request,
}) => {
  const { shortUrl, url } = await makeLink({ url: `https://phishing.example/${uniqueCode()}` })
  for (const details of ['It asks for my bank’s password.', HOSTILE]) {
    const data = { shortUrl, reason: 'phishing', details, email: 'reader@example.com' }
    expect((await request.post('/api/v1/reports', { data })).status()).toBe(201)
  }
  await admin.open('reports')
  const link = shortUrl.replace(/^https?:\/\//, '')
  await admin.row(link).first().getByRole('button').click()
  // Read, never followed.
  await expect(admin.dialog.getByText(url, { exact: true })).toBeVisible()
  await expect(admin.dialog.locator(`a[href="${url}"]`)).toHaveCount(0)
  await expect(admin.dialog.getByText(HOSTILE).first()).toBeVisible()
  // Links and accounts are told by their names: an ID says nothing to anybody.
  await expect(admin.dialog).not.toContainText(/\d{17}/)

  await expect(admin.dialog.getByRole('radio', { name: /^Ban link/ })).toBeChecked()
  await admin.dialog.getByLabel('Reason').fill('It imitates a bank')
  await admin.dialog.getByLabel('Answer').fill('Thank you, it is gone.')
  await admin.dialog.getByRole('button', { name: 'Ban link' }).click()
  await expect(admin.toast('Link banned')).toBeVisible()
  // Within how long is held by lib/api/links-admin.test.ts.
  await expect.poll(async () => (await visitor.request.get(shortUrl, { maxRedirects: 0 })).status()).toBe(410)
  await visitor.goto(shortUrl)
  await expect(visitor.getByText('It imitates a bank')).toBeVisible()

  await expect(admin.dialog.getByText('Thank you, it is gone.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(admin.row(link)).toHaveCount(0)
  await page.getByRole('button', { name: 'Acted on' }).click()
  await expect(admin.row(link)).toHaveCount(2)
  expect(await page.title()).not.toBe('1')

  await admin.open('audit', { action: 'report.ban' })
  const entry = admin.row(link.replace(/:\d+/, '')).or(admin.row(link)).first()
  await expect(entry).toContainText(/banned .* after a report/)
  await entry.getByText('Details').click()
  await expect(entry).toContainText('It imitates a bank')
  await expect(entry).toContainText('admin@example.com')
})

test('an account is banned for a reason, and let in again', async ({ admin, page, visitor }) => {
  const account = await signUp(visitor)
  await admin.open('accounts')
  await page.getByRole('searchbox', { name: 'Search accounts' }).fill(account.handle)
  await expect(admin.rows).toHaveCount(1)
  await admin.look(account.handle)
  await admin.dialog.getByRole('button', { name: 'Ban…' }).click()
  await admin.dialog.getByLabel('Until').fill('2020-01-01T00:00')
  await admin.dialog.getByRole('button', { name: 'Ban', exact: true }).click()
  await expect(admin.dialog.getByLabel('Until')).toBeFocused()
  await admin.dialog.getByLabel('Until').fill('')
  await admin.dialog.getByLabel('Reason').fill('Spam')
  await admin.dialog.getByRole('button', { name: 'Ban', exact: true }).click()
  await expect(admin.dialog.getByText('Reason for the ban')).toBeVisible()

  const session = () => visitor.request.get('/api/v1/account')
  expect((await session()).ok()).toBe(false)
  const { email, password } = account
  const signIn = () =>
    visitor.request.post('/api/auth/sign-in/email', { headers: { Origin: BASE_URL }, data: { email, password } })
  expect((await signIn()).status()).toBe(403)
  await admin.dialog.getByRole('button', { name: 'Unban' }).click()
  await expect(admin.dialog.getByRole('button', { name: 'Ban…' })).toBeVisible()
  expect((await signIn()).status()).toBe(200)
  expect((await session()).ok()).toBe(true)

  await admin.dialog.getByRole('button', { name: 'Sign out everywhere' }).click()
  await admin.dialog.getByRole('button', { name: 'Sign out everywhere' }).click()
  await expect(admin.toast('is signed out everywhere')).toBeVisible()
  expect((await session()).status()).toBe(401)
})

test('a username is banned for a reason, and unbanned from the audit log', async ({ admin, visitor }) => {
  const { handle } = await signUp(visitor)
  const username = uniqueCode('u')
  const choose = () => visitor.request.patch('/api/v1/account', { headers: { Origin: BASE_URL }, data: { username } })
  expect((await choose()).status()).toBe(200)
  await admin.open('accounts', { q: handle })
  await admin.look(handle)
  await admin.dialog.getByRole('button', { name: 'Ban username…' }).click()
  await admin.dialog.getByLabel('Reason').fill('A brand')
  await admin.dialog.getByRole('button', { name: 'Ban username', exact: true }).click()
  await expect(admin.toast(`The username @${username} is banned`)).toBeVisible()
  await expect(admin.dialog.getByText(`@${username}`)).toHaveCount(0)
  expect((await choose()).status()).toBe(422)

  await admin.open('audit', { target: `account ${handle}` })
  const entry = admin.row(`@${username}`)
  await expect(entry).toContainText(`banned the username @${username}`)
  await entry.getByText('Details').click()
  await expect(entry).toContainText('A brand')
  await entry.getByRole('button', { name: `Unban @${username}` }).click()
  await expect(admin.toast(`The username @${username} can be taken again`)).toBeVisible()
  expect((await choose()).status()).toBe(200)
})

test('a reset link is shown to be handed on; the account is deleted once its handle is typed', async ({
  admin,
  page,
  visitor,
}) => {
  const account = await signUp(visitor)
  const link = await makeOwn(visitor, { url: 'https://example.com/kept' })
  await admin.open('accounts', { q: account.email })
  await admin.look(account.email)
  await admin.dialog.getByRole('button', { name: 'Reset password…' }).click()
  await admin.dialog.getByRole('button', { name: 'Create link' }).click()
  await expect(admin.dialog.getByText(/\/reset-password/)).toBeVisible()
  await admin.dialog.getByRole('button', { name: 'I’ve saved it' }).click()

  await admin.dialog.getByRole('button', { name: 'Delete…' }).click()
  await admin.dialog.getByLabel(/^Type the handle/).fill('12345678')
  await admin.dialog.getByRole('button', { name: 'Delete account' }).click()
  await expect(admin.dialog.getByText('That isn’t this account’s handle.')).toBeVisible()
  await admin.dialog.getByLabel(/^Type the handle/).fill(account.handle)
  await admin.dialog.getByRole('button', { name: 'Delete account' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByText('No matches')).toBeVisible()
  expect((await visitor.request.get(link.shortUrl, { maxRedirects: 0 })).status()).toBe(302)
})

test('the last admin stays one, and is told why', async ({ admin }) => {
  await admin.open('accounts', { role: 'admin' })
  await admin.look('admin@example.com')
  await admin.dialog.getByRole('button', { name: 'Remove as admin' }).click()
  await admin.dialog.getByRole('button', { name: 'Remove as admin' }).click()
  await expect(admin.dialog.getByRole('alert')).toContainText('This is the only admin.')
})

test('an invitation is shown once, listed, and revoked', async ({ admin, page }) => {
  const email = `${uniqueCode('invited')}@example.com`
  await admin.open('accounts')
  await page.getByRole('button', { name: 'Invite' }).click()
  await admin.dialog.getByLabel('Email').fill('not an address')
  await page.keyboard.press('Enter')
  await expect(admin.dialog.getByLabel('Email')).toBeFocused()
  await expect(admin.dialog.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true')
  await admin.dialog.getByLabel('Email').fill(email)
  await page.keyboard.press('Enter')
  const copy = admin.dialog.getByRole('button', { name: /^Copy/ })
  await expect(copy).toBeFocused()
  await page.keyboard.press('Enter')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('/invite/')
  await admin.dialog.getByRole('button', { name: 'I’ve saved it' }).click()
  await page.getByRole('tab', { name: 'Invitations' }).click()
  await expect(admin.row(email)).toContainText('Open')
  await admin
    .row(email)
    .getByRole('button', { name: /^Revoke/ })
    .click()
  await expect(admin.row(email)).toHaveCount(0)
})

test('a rule of the blocklist refuses new links, and bans those there are', async ({
  admin,
  page,
  makeLink,
  request,
  statusOf,
}) => {
  const host = `${uniqueCode('bad')}.example`
  const { shortUrl } = await makeLink({ url: `https://deep.${host}/here` })
  await admin.open('blocklist')
  await page.getByRole('button', { name: 'Add rule' }).first().click()
  await admin.dialog.getByLabel('Type').selectOption('Domain')
  await admin.dialog.getByLabel('Domain', { exact: true }).fill(host)
  await admin.dialog.getByLabel('Reason').fill('A wave of spam')
  await admin.dialog.getByRole('button', { name: 'Add rule' }).click()
  await expect(admin.dialog.getByText('1 existing link matches and still works.')).toBeVisible()
  await admin.dialog.getByRole('button', { name: 'Ban all' }).click()
  await expect(admin.dialog.getByText('Done · 1', { exact: true })).toBeVisible()
  expect(await statusOf(shortUrl)).toBe(410)
  await admin.dialog.getByRole('button', { name: 'Close' }).last().click()

  const refused = await request.post('/api/v1/links', { data: { url: `https://${host}/again` } })
  expect(refused.status()).toBe(422)
  expect(((await refused.json()) as { errors: { path: string }[] }).errors[0]?.path).toBe('url')

  await page.getByRole('searchbox', { name: 'Search rules' }).fill(host)
  await admin.choose(host, 'Remove')
  await expect(admin.row(host)).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(admin.row(host)).toBeVisible()
})

test('a hosts file is imported, and its bad lines are named', async ({ admin, page }) => {
  const host = `${uniqueCode('listed')}.example`
  await admin.open('blocklist')
  await page.getByRole('button', { name: 'Import' }).click()
  await admin.dialog.getByLabel('Choose a file').setInputFiles({
    name: 'hosts.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from(`# a list\n0.0.0.0 ${host}\n\nnot a host!!\n`),
  })
  await admin.dialog.getByRole('button', { name: 'Import' }).click()
  await expect(admin.dialog.getByText(/^Done · /)).toBeVisible()
  await expect(admin.dialog.getByRole('region', { name: 'Failed' })).toContainText('not a host!!')
  await page.keyboard.press('Escape')
  await admin.open('blocklist', { q: host })
  await expect(admin.rows).toHaveCount(1)
})

test('many links are banned at once, with a result for each; many deleted ones come back', async ({
  admin,
  page,
  makeLink,
  request,
  statusOf,
}) => {
  const stem = uniqueCode('many')
  const links = [await makeLink({ url: 'https://example.com/1', code: `${stem}-a` })]
  links.push(await makeLink({ url: 'https://example.com/2', code: `${stem}-b` }))
  links.push(await makeLink({ url: 'https://example.com/3', code: `${stem}-c` }))
  await admin.open('links', { q: stem })
  await expect(admin.rows).toHaveCount(3)
  await page.getByRole('checkbox', { name: /^Select all/ }).check()
  // One is gone by the time it is their turn.
  const gone = links[1]
  const headers = { Authorization: `Bearer ${gone?.manageToken}` }
  expect((await request.delete(`/api/v1/links/${gone?.code}`, { headers })).status()).toBe(204)
  await admin.chosen.getByRole('button', { name: 'Ban', exact: true }).click()
  await admin.dialog.getByLabel('Reason').fill('All of a kind')
  await admin.dialog.getByRole('button', { name: 'Ban', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Failed' }).getByRole('listitem')).toHaveCount(1)
  await expect(admin.row('Banned')).toHaveCount(2)
  expect(await statusOf(`${BASE_URL}/${stem}-a`)).toBe(410)
  await page.getByRole('button', { name: 'Show all 3 results' }).click()
  await expect(page.getByRole('region', { name: 'All results' }).getByRole('listitem')).toHaveCount(3)
  await page.getByRole('checkbox', { name: /^Select all/ }).check()
  await admin.chosen.getByRole('button', { name: 'Unban' }).click()
  await expect(admin.row('Banned')).toHaveCount(0)
  expect(await statusOf(`${BASE_URL}/${stem}-a`)).toBe(302)

  await page.getByRole('checkbox', { name: /^Select all/ }).check()
  await admin.chosen.getByRole('button', { name: 'Delete' }).click()
  await expect(admin.rows).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(admin.rows).toHaveCount(2)
})

test('one looks inside a link by keyboard, and does to it what can be taken back', async ({
  admin,
  page,
  makeLink,
  statusOf,
}) => {
  const code = uniqueCode('inside')
  const { shortUrl } = await makeLink({ url: 'https://example.com/inside', code, title: HOSTILE })
  await admin.open('links', { q: code })
  const name = admin
    .row(code)
    .getByRole('button', { name: new RegExp(`/${code}$`) })
    .first()
  await name.focus()
  await page.keyboard.press('Enter')
  await expect(admin.dialog.getByText(HOSTILE)).toBeVisible()
  await expect(page).toHaveURL(/open=\d+/)
  await admin.dialog.getByRole('button', { name: 'Turn off' }).click()
  await expect(admin.dialog.getByText('Turned off', { exact: true })).toBeVisible()
  expect(await statusOf(shortUrl)).toBe(410)
  await admin.dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(admin.dialog.getByRole('button', { name: 'Turn off' })).toBeVisible()
  expect(await statusOf(shortUrl)).toBe(302)
  await page.goBack()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await admin.choose(code, 'Delete')
  await expect(admin.rows).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(admin.row(code)).toBeVisible()
  expect(await statusOf(shortUrl)).toBe(302)
  expect(await page.title()).not.toBe('1')
})

test('a domain is added with what proves it, and removed', async ({ admin, page }) => {
  const host = `${uniqueCode('go')}.example`
  await admin.open('domains')
  await page.getByRole('button', { name: 'Add domain' }).click()
  await admin.dialog.getByLabel('Domain', { exact: true }).fill('https://no')
  await page.keyboard.press('Enter')
  await expect(admin.dialog.getByLabel('Domain', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await admin.dialog.getByLabel('Domain', { exact: true }).fill(host)
  await page.keyboard.press('Enter')
  const card = page.getByRole('region', { name: host })
  await expect(card.getByText('Not verified')).toBeVisible()
  await card.getByRole('button', { name: 'Copy value' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^terse-verification=/)
  await card.getByRole('button', { name: /^Verify/ }).click()
  await expect(card.getByRole('alert')).toContainText('The TXT record wasn’t found')
  await card.getByRole('button', { name: /^Redirects/ }).click()
  await admin.dialog.getByLabel('Redirect unknown links to').fill('example.org/lost')
  await admin.dialog.getByRole('button', { name: 'Save' }).click()
  await expect(card).toContainText('https://example.org/lost')
  await card.getByRole('button', { name: /^Remove/ }).click()
  await admin.dialog.getByRole('button', { name: 'Remove' }).click()
  await expect(card).toHaveCount(0)
})

test('the system page is live, says when it no longer is, and rebuilds the filter of known links', async ({ admin, page }) => {
  await admin.open('system')
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  for (const name of ['MySQL', 'Redis'])
    await expect(page.getByRole('region', { name }).getByText('Connected', { exact: true })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Redis' })).toContainText('Up to date')
  await expect(page.getByRole('region', { name: 'Numbers in use' })).toContainText('10000000 to 19999999')

  await page.route('**/api/v1/admin/system', (route) => route.abort())
  await expect(page.getByText(/^Last updated .* ago$/)).toBeVisible()
  await page.unroute('**/api/v1/admin/system')
  await expect(page.getByText('Live', { exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Rebuild the filter' }).click()
  await admin.dialog.getByRole('button', { name: 'Rebuild' }).click()
  const jobs = page.getByRole('region', { name: 'Jobs' })
  await expect(
    jobs
      .getByRole('listitem')
      .filter({ hasText: /filter/i })
      .first(),
  ).toContainText('Done')
})

test('a figure that is not as it should be says what to do, and is found from above', async ({ admin, page }) => {
  await admin.open('system')
  const system = await (await page.request.get('/api/v1/admin/system')).json()
  await page.route('**/api/v1/admin/system', (route) =>
    route.fulfill({ json: { ...system, redis: { ...system.redis, unheardChanges: 3 } } }),
  )
  await page.getByRole('region', { name: 'System status' }).getByRole('link', { name: 'Redis: Replication of changes' }).click()
  const redis = page.getByRole('region', { name: 'Redis' })
  await expect(redis).toContainText('3 changes waiting')
  await expect(redis.getByRole('img', { name: 'Warning' })).toBeVisible()
  await expect(redis).toContainText('check the Redis log')
})

test('who is no admin any more is told so, and what was read stays', async ({ admin, page }) => {
  await admin.open('audit')
  await page.route('**/api/v1/admin/audit?*', (route) =>
    route.fulfill({ status: 403, contentType: 'application/problem+json', json: { detail: 'Only admins can do this.' } }),
  )
  await page.getByRole('combobox', { name: 'Action' }).selectOption('Ban link')
  await expect(page.getByRole('alert').filter({ hasText: 'no longer an admin' })).toBeVisible()
})
