import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { delimiter, dirname } from 'node:path'
import { offlineCode } from '../packages/cli/src/offline'
import { signedInAWhileAgo, signUp } from './support/account'
import { signOut } from './support/account-menu'
import { BASE_URL } from './support/settings'
import { SettingsPage } from './support/settings-page'
import { SignInPage } from './support/sign-in-page'
import { expect, test, uniqueCode } from './support/test'

/** What a command that a page shows prints, run as it stands. */
function inTerminal(command: string): string {
  const { CURL_PATH = 'curl', PATH = '' } = process.env
  const env = { ...process.env, PATH: `${dirname(CURL_PATH)}${delimiter}${PATH}` }
  return execFileSync('sh', ['-c', command], { env, encoding: 'utf8', timeout: 10_000, stdio: ['ignore', 'pipe', 'ignore'] })
}

test('who signed in a while ago confirms by keyboard that it is them, and what they wanted is then done', async ({ page }) => {
  const { email, password } = await signUp(page)
  await signedInAWhileAgo(email)
  const settings = new SettingsPage(page)
  await settings.open('/keys')
  await page.getByRole('button', { name: 'New key' }).click()
  await settings.dialog.getByLabel('Name').fill('Newsletter')
  await page.keyboard.press('Enter')
  const asked = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await expect(asked.getByLabel('Your password')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(asked).toBeHidden()
  const form = page.getByRole('dialog', { name: 'New API key' })
  await form.getByLabel('Name').press('Enter')
  await expect(asked.getByLabel('Your password')).toBeFocused()
  await page.keyboard.type('not the password')
  await page.keyboard.press('Enter')
  await expect(asked.getByText('That’s not your current password.')).toBeVisible()
  await expect(asked.getByLabel('Your password')).toBeFocused()
  await asked.getByLabel('Your password').fill(password)
  await page.keyboard.press('Enter')
  await expect(asked).toBeHidden()
  await expect(settings.dialog.locator('code')).toHaveText(/^terse_/)
})

test('giving up the password dialog is no error: what was typed stays, and so does the cursor', async ({ page }) => {
  const { email, password } = await signUp(page)
  const settings = new SettingsPage(page)
  await settings.open('/security')
  await signedInAWhileAgo(email)
  const card = settings.card('Email')
  const change = card.getByRole('button', { name: 'Save email' })
  const address = card.getByLabel('New email')
  const next = `new-${email}`
  await address.fill(next)
  for (const leave of ['Escape', 'Cancel']) {
    await change.press('Space')
    await expect(settings.dialog.getByLabel('Your password')).toBeFocused()
    if (leave === 'Escape') await page.keyboard.press('Escape')
    else await settings.dialog.getByRole('button', { name: leave }).press('Enter')
    await expect(settings.dialog).toBeHidden()
    await expect(change).toBeFocused()
    await expect(address).toHaveValue(next)
    await expect(card.getByRole('alert')).toHaveCount(0)
  }
  await change.press('Space')
  await settings.confirm(password)
  await expect(card.getByText(next)).toBeVisible()
  await expect(change).toBeFocused()

  await settings.open('/keys')
  await signedInAWhileAgo(next)
  await page.getByRole('button', { name: 'New key' }).click()
  const form = page.getByRole('dialog', { name: 'New API key' })
  await form.getByLabel('Name').fill('Newsletter')
  await form.getByRole('button', { name: 'Create key' }).press('Enter')
  await expect(page.getByRole('dialog', { name: 'Confirm it’s you' }).getByLabel('Your password')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(form.getByLabel('Name')).toHaveValue('Newsletter')
  await expect(form.getByRole('button', { name: 'Create key' })).toBeFocused()
  await expect(form.getByRole('alert')).toHaveCount(0)
})

test('an API key brings an offline key if it is asked for, which is shown once', async ({ page }) => {
  await signUp(page)
  const settings = new SettingsPage(page)
  await settings.open('/keys')
  await page.getByRole('button', { name: 'New key' }).click()
  await settings.dialog.getByLabel('Name').fill('Print shop')
  await settings.dialog.getByLabel('Also create an offline key').check()
  await settings.dialog.getByRole('button', { name: 'Create key' }).click()
  await expect(settings.dialog.getByText('Offline key for “terse code”')).toBeVisible()
  const [offline = '', key = ''] = await settings.dialog.locator('code').allTextContents()
  expect(key).toMatch(/^terse_[A-Za-z]{64}$/)
  const { code, domain } = await offlineCode({ key: offline, url: 'https://example.com/poster' })
  await settings.dialog.getByRole('button', { name: 'Copy the offline key' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(offline)
  await settings.dialog.getByRole('button', { name: 'I’ve saved it' }).click()
  const made = await page.request.post('/api/v1/links', {
    headers: { Origin: BASE_URL },
    data: { url: 'https://example.com/poster', code, domain },
  })
  expect(made.status()).toBe(201)
})

test('an API key is made, shown once, used, and deleted', async ({ page, request }) => {
  await signUp(page)
  const settings = new SettingsPage(page)
  await settings.open('/keys')
  await expect(page.getByText('No keys yet.')).toBeVisible()
  await page.getByRole('button', { name: 'New key' }).click()
  await settings.dialog.getByRole('button', { name: 'Create key' }).click()
  await expect(settings.dialog.getByText('Enter a name.')).toBeVisible()
  await settings.dialog.getByLabel('Name').fill('Newsletter')
  await settings.dialog.getByLabel('Access').selectOption('write')
  await settings.dialog.getByLabel('Expires').selectOption('Never')
  await settings.dialog.getByRole('button', { name: 'Create key' }).click()
  const key = (await settings.dialog.locator('code').textContent()) ?? ''
  expect(key).toMatch(/^terse_\w{20,}$/)
  const command = (await settings.dialog.locator('pre').textContent()) ?? ''
  expect(command).toContain(`-H 'Authorization: Bearer ${key}'`)
  const copy = settings.dialog.getByRole('button', { name: /^(Copy|Copied)/ })
  await expect(copy).toBeFocused()
  await page.keyboard.press('Enter')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)
  await settings.expectKept()
  await settings.dialog.getByRole('button', { name: 'I’ve saved it' }).click()

  const made = JSON.parse(inTerminal(command)) as { shortUrl: string; manageToken?: string }
  expect(made.manageToken).toBeUndefined()
  const headers = { Authorization: `Bearer ${key}` }
  const { links } = await (await request.get('/api/v1/links', { headers })).json()
  expect(links.map(({ shortUrl }: { shortUrl: string }) => shortUrl)).toEqual([made.shortUrl])
  await page.reload()
  await settings.untilLoaded()
  await expect(settings.keys).toContainText(`${key.slice(0, 12)}…`)
  await expect(settings.keys).toContainText('Read and write')
  await expect(settings.keys).toContainText('Never expires')
  await expect(settings.keys).not.toContainText('Never used')
  await expect(page.getByText(key)).toHaveCount(0)

  await settings.keys.getByRole('button', { name: 'Revoke Newsletter' }).click()
  await settings.dialog.getByRole('button', { name: 'Revoke key' }).click()
  await expect(page.getByText('No keys yet.')).toBeVisible()
  expect((await request.get('/api/v1/links', { headers })).status()).toBe(401)
})

test('sessions are ended, one and all others', async ({ page, browser }) => {
  const { email, password } = await signUp(page)
  const others = await Promise.all(
    [1, 2, 3].map(async () => {
      const context = await browser.newContext({ baseURL: BASE_URL })
      const data = { email, password }
      expect((await context.request.post('/api/auth/sign-in/email', { headers: { Origin: BASE_URL }, data })).status()).toBe(200)
      return context
    }),
  )
  const statuses = () => Promise.all(others.map(async ({ request }) => (await request.get('/api/v1/account')).status()))
  expect(await statuses()).toEqual([200, 200, 200])
  const settings = new SettingsPage(page)
  await settings.open('/security')
  await expect(settings.sessions).toHaveCount(4)
  await settings.sessions
    .filter({ hasNotText: 'This browser' })
    .first()
    .getByRole('button', { name: /^Sign out/ })
    .click()
  await expect(settings.sessions).toHaveCount(3)
  expect((await statuses()).filter((status) => status === 401)).toHaveLength(1)
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await expect(settings.sessions).toHaveCount(1)
  expect(await statuses()).toEqual([401, 401, 401])
  await page.reload()
  await expect(settings.sessions).toHaveCount(1)
  for (const context of others) await context.close()
})

test('name, password and address are changed', async ({ page }) => {
  const { email, password } = await signUp(page)
  const settings = new SettingsPage(page)
  await settings.open()
  await page.getByRole('form', { name: 'Name', exact: true }).getByRole('textbox').fill('Grace')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Account menu: Grace' })).toBeVisible()

  await settings.open('/security')
  const card = settings.card('Password')
  await card.getByLabel('Current password').fill('not the password')
  await card.getByLabel('New password').fill('another long one')
  await page.keyboard.press('Enter')
  await expect(card.getByText('That’s not your current password.')).toBeVisible()
  await card.getByLabel('Current password').fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByText('New password saved')).toBeVisible()

  const address = settings.card('Email')
  await address.getByLabel('New email').fill(email)
  await page.keyboard.press('Enter')
  await expect(address.getByText('This is already your email.')).toBeVisible()
  const changed = `new-${email}`
  await address.getByLabel('New email').fill(changed)
  await page.keyboard.press('Enter')
  await expect(address.getByText(changed, { exact: true })).toBeVisible()

  await signOut(page)
  const signIn = new SignInPage(page)
  await signIn.open()
  await signIn.enter(changed, 'another long one')
  await expect(page).toHaveURL(`${BASE_URL}/dashboard`)
})

test('a public page is switched on, and leads where it says', async ({ page, request }) => {
  const { handle } = await signUp(page)
  const settings = new SettingsPage(page)
  await settings.open()
  expect((await request.get(`/@${handle}`)).status()).toBe(404)
  await page.getByRole('switch', { name: 'Show a page with my links' }).click()
  const link = settings.card('Public page').getByRole('link')
  await expect(link).toHaveAttribute('href', `${BASE_URL}/@${handle}`)
  await expect(page.getByText('Your public page is on')).toBeVisible()
  expect((await request.get(`/@${handle}`)).status()).toBe(200)

  const username = uniqueCode('mia').toLowerCase()
  const card = settings.card('Username')
  await card.getByRole('textbox').fill('admin')
  await card.getByRole('button', { name: 'Save username' }).click()
  await expect(card.getByText('This username isn’t allowed. Try another.')).toBeVisible()
  await card.getByRole('textbox').fill(`@${username}`)
  await card.getByRole('button', { name: 'Save username' }).click()
  await expect(link).toHaveAttribute('href', `${BASE_URL}/@${username}`)
  for (const called of [username, username.toUpperCase(), handle]) {
    const answer = await request.get(`/@${called}`)
    expect(answer.status(), called).toBe(200)
    expect(answer.headers()['content-security-policy'], called).toContain("script-src 'self'")
  }

  // Of one that is off, a new name says so, and turns it on.
  await page.getByRole('switch', { name: 'Show a page with my links' }).click()
  await expect(page.getByText('Your public page is off')).toBeVisible()
  await card.getByRole('textbox').fill(`@${username.toUpperCase()}-X`)
  await card.getByRole('button', { name: 'Save username' }).click()
  await expect(card.getByRole('textbox')).toHaveValue(`${username}-x`)
  await page.getByRole('button', { name: 'Turn it on' }).click()
  await expect(link).toHaveAttribute('href', `${BASE_URL}/@${username}-x`)
  await expect.poll(async () => (await request.get(`/@${username}-x`)).status()).toBe(200)
})

test('all data is exported, and the account deleted with its links', async ({ front, page, statusOf }) => {
  const { handle, email, password } = await signUp(page)
  await page.goto('/')
  await front.url.waitFor()
  const shortUrl = await front.make('https://example.com/exported')
  const settings = new SettingsPage(page)
  await settings.open('/data')
  await page.getByRole('button', { name: 'Export everything' }).click()
  const started = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download file' }).click()
  const file = JSON.parse(await readFile(await (await started).path(), 'utf8'))
  expect(file).toMatchObject({ account: { handle, email }, links: [{ shortUrl }] })

  await page.getByRole('button', { name: 'Delete account' }).click()
  const { dialog } = settings
  const confirm = dialog.getByRole('button', { name: 'Delete account' })
  await confirm.click()
  await expect(dialog.getByText(`Type your handle: ${handle}`)).toBeVisible()
  await expect(dialog.getByText('Enter your password.')).toBeVisible()
  await dialog.getByLabel(/^Type your handle/).fill(handle)
  await dialog.getByLabel('Your password').fill('not the password')
  await dialog.getByLabel('Delete my links').check()
  await confirm.click()
  await expect(dialog.getByText('That’s not your current password.')).toBeVisible()
  expect(await statusOf(shortUrl)).toBe(302)
  await dialog.getByLabel('Your password').fill(password)
  await confirm.click()
  await expect(page).toHaveURL(`${BASE_URL}/`)
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
  await expect.poll(() => statusOf(shortUrl)).toBe(410)
  const signIn = new SignInPage(page)
  await signIn.open()
  await signIn.enter(handle, password)
  await expect(page.getByText('Wrong email, handle or password.')).toBeVisible()
})
