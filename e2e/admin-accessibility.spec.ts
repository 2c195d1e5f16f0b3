import { signUp } from './support/account'
import { test } from './support/admin-test'
import { expectClean } from './support/clean'
import { BASE_URL } from './support/settings'
import { expect, uniqueCode } from './support/test'

const LONG = `https://a-rather-long-host-name-that-goes-on.example.com/${'long/'.repeat(60)}?${'x'.repeat(300)}`
const TITLE = 'A title that somebody pasted from the head of a page, with everything in it, and then some more'

test.describe('every admin can use', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  test('the overview', async ({ admin, page, makeLink }) => {
    await makeLink({ url: LONG, title: TITLE })
    await admin.open('')
    await expectClean(page)
    await page.getByRole('region', { name: 'New links' }).getByRole('button', { name: 'Show table' }).click()
    await expectClean(page)
  })

  test('the first steps, one after the other, and an import from there', async ({ admin, page }) => {
    await admin.open('setup', { step: 'domain' })
    for (const title of ['Where your short links live', 'Send emails', 'Who can sign up']) {
      const heading = page.getByRole('heading', { name: title })
      await expect(heading).toBeVisible()
      if (title !== 'Where your short links live') await expect(heading).toBeFocused()
      await expectClean(page)
      await page.getByRole('link', { name: /^(Skip|Continue)$/ }).click()
    }
    await page.getByRole('button', { name: 'Import links' }).click()
    await expect(admin.dialog.getByLabel('Or paste a list')).toBeVisible()
    await expectClean(page)
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: /^(Skip|Continue)$/ }).click()
    await expect(page.getByRole('heading', { name: 'That’s it' })).toBeFocused()
  })

  test('the end of the first steps, with all that is left to set in one', async ({ admin, page }) => {
    await admin.open('setup', { step: 'summary' })
    await expect(page.getByText('BASE_URL=https://go.example.com')).toContainText('SMTP_URL=')
    await expect(page.getByRole('button', { name: 'Copy settings' })).toBeVisible()
    await expectClean(page)
    await page.getByRole('link', { name: 'Finish' }).click()
    await expect(admin.title).toHaveText('Overview')
  })

  test('the list of links, one chosen, its menu, and nothing found', async ({ admin, page, makeLink }) => {
    const code = uniqueCode('clean')
    await makeLink({ url: LONG, code, title: TITLE, password: 'secret' })
    await admin.open('links', { q: code, owner: 'none' })
    await expectClean(page)
    await admin.row(code).getByRole('checkbox').check()
    await expect(admin.chosen).toBeVisible()
    await expectClean(page)
    await admin
      .row(code)
      .getByRole('button', { name: /^Actions/ })
      .click()
    await expect(page.getByRole('menu')).toBeVisible()
    await expectClean(page)
    await admin.open('links', { q: 'nothing-is-called-this' })
    await expectClean(page)
  })

  test('a link looked into, and its ban', async ({ admin, page, makeLink }) => {
    const code = uniqueCode('clean')
    await makeLink({ url: LONG, code, title: TITLE })
    await admin.open('links', { q: code })
    await admin.choose(code, 'Details')
    await expect(admin.dialog.getByText('No reports')).toBeVisible()
    await expectClean(page)
    await admin.dialog.getByRole('button', { name: 'Ban…' }).click()
    await expect(admin.dialog.getByLabel('Reason')).toBeVisible()
    await expectClean(page)
  })

  test('the list of accounts, and an account with its dialogs', async ({ admin, page }) => {
    await admin.open('accounts', { q: 'admin@example.com' })
    await expectClean(page)
    await admin.look('admin@example.com')
    await expectClean(page)
    for (const name of ['Ban…', 'Delete…', 'Reset password…', 'Remove as admin']) {
      await admin.dialog.getByRole('button', { name }).click()
      // Above that of the account.
      await expect(page.locator('[role=dialog]')).toHaveCount(2)
      await expectClean(page)
      await page.keyboard.press('Escape')
    }
  })

  test('an account with a username, and one that is banned', async ({ admin, page, browser }) => {
    const visitor = await (await browser.newContext({ baseURL: BASE_URL })).newPage()
    const { handle } = await signUp(visitor, TITLE.slice(0, 60))
    const headers = { Origin: BASE_URL }
    const data = { username: uniqueCode('clean') }
    expect((await visitor.request.patch('/api/v1/account', { headers, data })).status()).toBe(200)
    await visitor.context().close()
    await admin.open('accounts', { q: handle })
    await admin.look(handle)
    await admin.dialog.getByRole('button', { name: 'Ban username…' }).click()
    await expect(page.locator('[role=dialog]')).toHaveCount(2)
    await expectClean(page)
    await page.keyboard.press('Escape')
    await admin.dialog.getByRole('button', { name: 'Ban…' }).click()
    await admin.dialog.getByLabel('Reason').fill(TITLE)
    await admin.dialog.getByRole('button', { name: 'Ban', exact: true }).click()
    await expect(admin.dialog.getByRole('button', { name: 'Unban' })).toBeVisible()
    await expectClean(page)
  })

  test('an invitation being made, and those there are', async ({ admin, page }) => {
    await admin.open('accounts')
    await page.getByRole('button', { name: 'Invite' }).click()
    await admin.dialog.getByLabel('Email').fill('nonsense')
    await page.keyboard.press('Enter')
    await expectClean(page)
    await admin.dialog.getByLabel('Email').fill('')
    await page.keyboard.press('Enter')
    await expect(admin.dialog.getByRole('button', { name: /^Copy/ })).toBeVisible()
    await expectClean(page)
    const email = `${uniqueCode('somebody-with-a-long-name')}@example.com`
    const headers = { Origin: BASE_URL }
    expect((await page.request.post('/api/v1/admin/invitations', { headers, data: { email } })).status()).toBe(201)
    await admin.open('accounts', { tab: 'invitations' })
    await expectClean(page)
  })

  test('the reports, and one of them', async ({ admin, page, request, makeLink }) => {
    const { shortUrl } = await makeLink({ url: LONG, title: TITLE })
    for (const details of ['x'.repeat(1500), '']) {
      const data = { shortUrl, reason: 'other', details, email: '' }
      expect((await request.post('/api/v1/reports', { data })).status()).toBe(201)
    }
    await admin.open('reports')
    await expectClean(page)
    await admin
      .row(shortUrl.replace(/^https?:\/\//, ''))
      .first()
      .getByRole('button')
      .click()
    await expect(admin.dialog.getByRole('radio', { name: /^Ban/ })).toBeVisible()
    await expectClean(page)
    await admin.dialog.getByRole('radio', { name: /^Dismiss/ }).check()
    await admin.dialog.getByRole('button', { name: 'Dismiss report' }).click()
    await expect(admin.dialog.getByText('Dismissed', { exact: true }).first()).toBeVisible()
    await expectClean(page)
  })

  test('the blocklist, its dialogs and the progress of a job', async ({ admin, page, makeLink }) => {
    const host = `${uniqueCode('clean')}.example`
    await makeLink({ url: `https://${host}/` })
    await admin.open('blocklist')
    await expectClean(page)
    await page.getByRole('button', { name: 'Import' }).click()
    await admin.dialog.getByRole('button', { name: 'Import' }).click()
    await expect(admin.dialog.getByRole('alert')).toBeVisible()
    await expectClean(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Add rule' }).first().click()
    await page.keyboard.press('Tab')
    await admin.dialog.getByRole('button', { name: 'Add rule' }).click()
    await expect(admin.dialog.getByLabel('Host', { exact: true })).toHaveAttribute('aria-invalid', 'true')
    await expectClean(page)
    await admin.dialog.getByLabel('Host', { exact: true }).fill(host)
    await page.keyboard.press('Enter')
    await expect(admin.dialog.getByRole('button', { name: 'Ban all' })).toBeVisible()
    await expectClean(page)
    await admin.dialog.getByRole('button', { name: 'Ban all' }).click()
    await expect(admin.dialog.getByText(/^Done/)).toBeVisible()
    await expectClean(page)
    await admin.open('blocklist', { q: host })
    await expectClean(page)
  })

  test('the domains, with proof and redirects', async ({ admin, page }) => {
    const host = `${uniqueCode('clean')}.example`
    const answer = await page.request.post('/api/v1/admin/domains', { headers: { Origin: BASE_URL }, data: { host } })
    expect(answer.status()).toBe(201)
    await admin.open('domains')
    const card = page.getByRole('region', { name: host })
    await expect(card.getByText('Not verified')).toBeVisible()
    await expectClean(page)
    await card.getByRole('button', { name: /^Redirects/ }).click()
    await admin.dialog.getByLabel('Redirect unknown links to').fill('no address')
    await page.keyboard.press('Enter')
    await expectClean(page)
  })

  test('the system, well and in trouble', async ({ admin, page }) => {
    await admin.open('system')
    await expect(page.getByText('Live', { exact: true })).toBeVisible()
    await expectClean(page)
    const system = await (await page.request.get('/api/v1/admin/system')).json()
    const redis = { ...system.redis, up: false, breaker: 'open', latency: null, unheardChanges: 3 }
    await page.route('**/api/v1/admin/system', (route) => route.fulfill({ json: { ...system, redis } }))
    await expect(page.getByText('Not connected')).toBeVisible()
    await expectClean(page)
  })

  test('the audit log, and a list that cannot be read', async ({ admin, page }) => {
    await page.request.post('/api/v1/admin/blocklist', {
      headers: { Origin: BASE_URL },
      data: { kind: 'word', value: uniqueCode('word'), reason: 'x'.repeat(255) },
    })
    await admin.open('audit')
    await page.getByText('Details').first().click()
    await expectClean(page)
    await page.route('**/api/v1/admin/audit?*', (route) => route.abort())
    await page.reload()
    await expect(page.getByRole('alert').filter({ hasText: 'Can’t reach the server' })).toBeVisible()
    await expectClean(page)
  })
})
