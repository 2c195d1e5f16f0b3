import { signUp } from './support/account'
import { AdminPage } from './support/admin-page'
import { BASE_URL } from './support/settings'
import { SettingsPage } from './support/settings-page'
import { SignInPage } from './support/sign-in-page'
import { expect, test } from './support/test'
import { totp } from './support/totp'
import { expectCleanCopy, holdScripts, withoutScripts } from './support/without-scripts'

test.describe('without scripts', () => {
  test('a link is made, shown to be copied, and leads where it should', async ({ browser }) => {
    const page = await withoutScripts(browser)
    await page.goto('/')
    await page.getByText('Options', { exact: true }).click()
    await page.getByLabel('URL to shorten').fill('no address')
    await page.getByLabel('Back-half').fill('admin')
    await page.getByLabel('Expires (UTC)').fill('2031-02-03T04:05')
    await page.getByLabel('Password', { exact: true }).fill('a secret')
    await page.getByRole('button', { name: 'Shorten' }).click()
    await expect(page.getByText('Enter a whole URL, such as https://example.com/page.')).toBeVisible()
    await expect(page.getByText('Enter it again.')).toBeVisible()
    await expect(page.getByLabel('Expires (UTC)')).toHaveValue('2031-02-03T04:05')
    await expectCleanCopy(page, browser)

    const code = `plain-${Date.now()}`
    await page.getByLabel('URL to shorten').fill('example.com/plain')
    await page.getByLabel('Back-half').fill(code)
    await page.getByLabel('Password', { exact: true }).fill('a secret')
    await page.getByRole('button', { name: 'Shorten' }).click()
    const result = page.getByRole('region', { name: 'Your short link' })
    await expect(result.getByLabel('Short link', { exact: true })).toHaveValue(`${BASE_URL}/${code}`)
    await expect(result.getByText('Expires 3 Feb 2031, 04:05 UTC · Needs a password')).toBeVisible()
    const key = await result.getByLabel('Manage token').inputValue()
    const mine = await page.request.get(`/api/v1/links/${code}`, { headers: { Authorization: `Bearer ${key}` } })
    expect(await mine.json()).toMatchObject({ url: 'https://example.com/plain', expiresAt: '2031-02-03T04:05:00.000Z' })
    await expectCleanCopy(page, browser)

    await page.goto(`/${code}`)
    await page.getByLabel('Password').fill('not it')
    await page.getByRole('button', { name: 'Open link' }).click()
    await expect(page.getByText('Wrong password. Try again.')).toBeVisible()
    expect(page.url()).toBe(`${BASE_URL}/${code}`)
    await page.context().close()
  })

  test('a number to read aloud is got for what was typed', async ({ browser }) => {
    const page = await withoutScripts(browser)
    await page.goto('/')
    await page.getByLabel('URL to shorten').fill('example.com/aloud')
    await page.getByRole('button', { name: 'Get a spoken number' }).click()
    const form = page.getByRole('form', { name: 'Get a spoken number' })
    await expect(form.getByLabel('Destination')).toHaveValue('example.com/aloud')
    await expectCleanCopy(page, browser)
    await form.getByRole('button', { name: 'Create a short link instead' }).click()
    await expect(page.getByLabel('URL to shorten')).toHaveValue('example.com/aloud')
    await page.getByRole('button', { name: 'Get a spoken number' }).click()
    await form.getByText('5', { exact: true }).click()
    await form.getByLabel('Destination').press('Enter')
    const card = page.getByRole('region', { name: 'Your spoken number' })
    await expect(card.getByText(/Works until .* UTC/)).toBeVisible()
    await expectCleanCopy(page, browser)
    await card.getByRole('button', { name: 'Get another number' }).click()
    await expect(form.getByLabel('Destination')).toHaveValue('')
    await page.context().close()
  })

  test('links are imported from a file: checked, started, undone', async ({ browser, request }) => {
    const page = await withoutScripts(browser)
    await signUp(page)
    await page.goto('/dashboard/series')
    await expect(page.locator('.skeleton:visible')).toHaveCount(0)
    await page.goto('/dashboard')
    await expect(page.locator('.skeleton:visible')).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Create link' })).toHaveAttribute('href', '/')
    await page.getByRole('link', { name: 'Import' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Import links')
    await page.getByRole('button', { name: 'Check' }).click()
    await expect(page.getByRole('alert')).toContainText('Choose a file.')
    const none = { name: 'none.csv', mimeType: 'text/csv', buffer: Buffer.from('name,colour\na,b\n') }
    await page.getByLabel('File').setInputFiles(none)
    await page.getByRole('button', { name: 'Check' }).click()
    await expect(page.getByRole('alert')).toContainText('There’s no `url` column.')
    const code = `plain-import-${Date.now()}`
    const csv = `url,code\nhttps://example.com/page,${code}\nnonsense,other\n`
    await page.getByLabel('File').setInputFiles({ name: 'links.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await page.getByRole('button', { name: 'Check' }).click()
    // The page loads itself again.
    await expect(page.getByRole('button', { name: 'Import 1 link' })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Failed' })).toContainText('Line 3: other')
    await expectCleanCopy(page, browser)
    expect((await request.get(`/${code}`, { maxRedirects: 0 })).status()).toBe(404)
    // Left, and found again.
    await page.goto('/dashboard/import')
    await expectCleanCopy(page, browser)
    await page.getByRole('region', { name: 'Your imports' }).getByRole('link', { name: 'Show: Check 2 links' }).click()
    await page.getByRole('button', { name: 'Import 1 link' }).click()
    await expect(page.getByRole('button', { name: 'Undo import' })).toBeVisible()
    expect((await request.get(`/${code}`, { maxRedirects: 0 })).status()).toBe(302)
    await page.getByRole('button', { name: 'Undo import' }).click()
    await expect(page.getByText('Deleted', { exact: true })).toBeVisible()
    expect((await request.get(`/${code}`, { maxRedirects: 0 })).status()).toBe(410)
    await page.context().close()
  })

  test('any table is imported once its columns are said, and its links are compared with the old ones', async ({
    browser,
    destination,
  }) => {
    const page = await withoutScripts(browser)
    await signUp(page)
    await page.goto('/dashboard/import')
    await page.getByRole('link', { name: 'Any CSV or JSON' }).click()
    const code = `plain-mapped-${Date.now()}`
    const csv = Buffer.from(`Go to,Back\nhttps://example.com/page,${code}\n`)
    const file = { name: 'links.csv', mimeType: 'text/csv', buffer: csv }
    await page.getByLabel('File').setInputFiles(file)
    await page.getByRole('button', { name: 'Next' }).click()
    await expect(page.getByText('https://example.com/page')).toBeVisible()
    await expectCleanCopy(page, browser)
    await page.getByLabel('Choose the file again').setInputFiles(file)
    await page.getByRole('button', { name: 'Check' }).click()
    await expect(page.getByRole('alert')).toContainText('There’s no `url` column.')
    await page.getByLabel('Go to').selectOption('url')
    await page.getByLabel('Back').selectOption('code')
    await page.getByLabel('Choose the file again').setInputFiles(file)
    await page.getByRole('button', { name: 'Check' }).click()
    await page.getByRole('button', { name: 'Import 1 link' }).click()
    await page.getByRole('button', { name: 'Compare with the old links' }).click()
    await expect(page.getByRole('alert')).toContainText('Enter the address of the old service')
    await page.getByLabel('Old address').fill('10.0.0.1')
    await page.getByRole('button', { name: 'Compare with the old links' }).click()
    await expect(page.getByRole('alert')).toContainText('10.0.0.1 isn’t on the public internet')
    await page.getByLabel('Old address').fill(destination)
    await page.getByRole('button', { name: 'Compare with the old links' }).click()
    await expect(page.getByText('Other destination')).toBeVisible()
    await expectCleanCopy(page, browser)
    await page.context().close()
  })

  test('another service is asked for its links, and its key is never shown again', async ({ browser }) => {
    const page = await withoutScripts(browser)
    await signUp(page)
    await page.goto('/dashboard/import')
    await page.getByRole('link', { name: 'Shlink' }).click()
    await page.getByRole('link', { name: 'Its API' }).click()
    await page.getByLabel('Address of the service').fill('ftp://old.example.com')
    await page.getByLabel('API key').fill('a secret key')
    await page.getByRole('button', { name: 'Check' }).click()
    await expect(page.getByRole('alert')).toContainText('Enter the address of the old service')
    await expect(page.getByLabel('Address of the service')).toHaveValue('ftp://old.example.com')
    expect(await page.content()).not.toContain('a secret key')
    await expectCleanCopy(page, browser)
    await page.context().close()
  })

  test('an admin says whose imported links become', async ({ browser, request }) => {
    const theirs = await withoutScripts(browser)
    const { email } = await signUp(theirs)
    const page = await withoutScripts(browser)
    await new AdminPage(page).signIn()
    await page.goto('/dashboard/import')
    const code = `plain-owned-${Date.now()}`
    const csv = `url,code,owner\nhttps://example.com/page,${code},${email}\nhttps://example.com/other,${code}-2,Mia Moss\n`
    await page.getByLabel('File').setInputFiles({ name: 'links.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await page.getByRole('button', { name: 'Check' }).click()
    // Who has an account here is known.
    await expect(page.getByLabel(`Account for ${email}`)).toHaveValue(email)
    await expectCleanCopy(page, browser)
    await page.getByLabel('Account for Mia Moss').fill('nobody@example.com')
    await page.getByRole('button', { name: 'Import 2 links' }).click()
    await expect(page.getByText('nobody@example.com')).toBeVisible()
    await expect(page.getByLabel('Account for Mia Moss')).toHaveValue('nobody@example.com')
    await page.getByLabel('Account for Mia Moss').fill('')
    await page.getByRole('button', { name: 'Import 2 links' }).click()
    await expect(page.getByRole('button', { name: 'Undo import' })).toBeVisible()
    expect((await request.get(`/${code}`, { maxRedirects: 0 })).status()).toBe(302)
    await theirs.goto('/dashboard')
    const listed = await theirs.request.get('/api/v1/links')
    expect((await listed.json()).links.map((link: { code: string }) => link.code)).toEqual([code])
    await theirs.context().close()
    await page.context().close()
  })

  test('someone signs up, and signs out', async ({ browser }) => {
    const page = await withoutScripts(browser)
    await page.goto('/sign-up')
    await page.getByLabel('Name').fill('Grace')
    await page.getByLabel('Email').fill(`grace-${Date.now()}@example.com`)
    await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
    await page.getByRole('button', { name: 'Sign up' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Grace')
    await page.getByRole('link', { name: 'Sign out' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign out')
    await expectCleanCopy(page, browser)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Sign in' })).toBeVisible()
    await page.context().close()
  })

  test('a wrong password is said above the form, and the address stays', async ({ browser }) => {
    const page = await withoutScripts(browser)
    await page.goto('/sign-in')
    const signIn = new SignInPage(page)
    await signIn.enter('nobody@example.com', 'not the password')
    await expect(page.getByText('Wrong email, handle or password.')).toBeVisible()
    await expect(signIn.login).toHaveValue('nobody@example.com')
    await expect(signIn.password).toHaveValue('')
    await expectCleanCopy(page, browser)
    await page.context().close()
  })

  test('someone signs in with a second factor, and comes to where they wanted to go', async ({ browser, page }) => {
    const { email, password } = await signUp(page)
    const settings = new SettingsPage(page)
    await settings.open('/security')
    const { backupCodes } = await settings.enrol(password, totp)

    const visit = await withoutScripts(browser)
    await visit.goto('/sign-in?next=/dashboard/overview')
    const signIn = new SignInPage(visit)
    await signIn.enter(email, password)
    await visit.getByRole('link', { name: 'Use a backup code' }).click()
    await expect(visit.getByText('Enter one of your backup codes')).toBeVisible()
    await signIn.enterCode('wrong-code')
    await expect(visit.getByText('This backup code is wrong or was already used.')).toBeVisible()
    await expectCleanCopy(visit, browser)
    await signIn.enterCode(backupCodes[0] ?? '')
    await expect(visit).toHaveURL(`${BASE_URL}/dashboard/overview`)
    await visit.context().close()
  })

  test('a report is taken in', async ({ browser, request }) => {
    const made = await request.post('/api/v1/links', { data: { url: 'https://example.com/' } })
    const { shortUrl } = (await made.json()) as { shortUrl: string }
    const visit = await withoutScripts(browser)
    await visit.goto('/report')
    await visit.getByLabel('Short link').fill(shortUrl)
    await visit.getByLabel('Details').fill('It asks for a password.')
    await visit.getByRole('button', { name: 'Send report' }).click()
    await expect(visit.getByText('Choose a reason.')).toBeVisible()
    await expectCleanCopy(visit, browser)
    await visit.getByRole('radio', { name: /^Phishing/ }).check()
    await visit.getByRole('button', { name: 'Send report' }).click()
    await expect(visit.getByText(/^\d{11,12}$/)).toBeVisible()
    await expectCleanCopy(visit, browser)
    await visit.context().close()
  })
})

test.describe('without scripts, signed in', () => {
  test('settings say that they need scripts, and offer nothing that needs them', async ({ browser }) => {
    const visit = await withoutScripts(browser)
    await signUp(visit)
    for (const part of ['', '/security', '/keys', '/data']) {
      await visit.goto(`/dashboard/settings${part}`)
      await expect(visit.locator('main noscript p')).toContainText('This page needs JavaScript.')
      await expect(visit.locator('main').getByRole('button')).toHaveCount(0)
      await expect(visit.locator('main').getByRole('textbox')).toHaveCount(0)
    }
    await expectCleanCopy(visit, browser)
    await visit.context().close()
  })

  for (const path of ['/@99999999', '/nope/nope', '/docs/nope', '/stats/a%20b', '/admin']) {
    test(`${path} says that there is nothing`, async ({ browser }) => {
      const visit = await withoutScripts(browser)
      await signUp(visit)
      const answer = await visit.goto(path)
      expect(answer?.status()).toBe(404)
      await expect(visit.getByRole('heading', { level: 1 })).toHaveText(/not found|^There’s no /)
      await expect(visit).toHaveTitle(/\S/)
      await visit.context().close()
    })
  }
})

test.describe('before the scripts have come', () => {
  test('a form is sent all the same, and they take over what came of it', async ({ page }) => {
    const release = await holdScripts(page)
    await page.goto('/', { waitUntil: 'commit' })
    await page.getByLabel('URL to shorten').fill('example.com/slow')
    await page.getByText('Options', { exact: true }).click()
    await page.getByLabel('Password', { exact: true }).fill('a secret')
    await page.getByRole('button', { name: 'Shorten' }).click({ noWaitAfter: true })
    const link = page.getByRole('region', { name: 'Your short link' }).getByRole('link').first()
    await expect(link).toBeVisible()
    const shortUrl = (await link.getAttribute('href')) ?? ''
    expect(page.url()).toBe(`${BASE_URL}/`)
    await release()
    const row = page.getByRole('region', { name: 'Your links on this device' }).getByRole('listitem')
    await expect(row.locator(`a[href="${shortUrl}"]`)).toBeVisible()
    await expect(link).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('terse:links'))).toMatch(/"manageToken":"[^"]+/)
  })

  test('what is typed stays, and means the same, once they come', async ({ page }) => {
    const release = await holdScripts(page)
    await page.goto('/', { waitUntil: 'commit' })
    await page.getByLabel('URL to shorten').fill('example.com/typed')
    await page.getByText('Options', { exact: true }).click()
    await page.getByLabel('Back-half').fill('typed-early')
    await page.getByLabel('Expires (UTC)').fill('2031-07-03T04:05')
    await page.getByLabel('Password', { exact: true }).fill('a secret')
    await release()
    await expect(page.getByText('No links yet')).toBeVisible()
    await expect(page.getByLabel('URL to shorten')).toHaveValue(/example\.com\/typed$/)
    await expect(page.getByLabel('Back-half')).toHaveValue('typed-early')
    // In Berlin, in summer.
    await expect(page.getByLabel('Expires', { exact: true })).toHaveValue('2031-07-03T06:05')
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue('a secret')
  })

  test('someone signs in', async ({ page }) => {
    const { email, password } = await signUp(page)
    await page.context().clearCookies()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await holdScripts(page)
    await page.goto('/sign-in?next=/docs', { waitUntil: 'commit' })
    const signIn = new SignInPage(page)
    await signIn.enter(email, 'not the password')
    await expect(page.getByText('Wrong email, handle or password.')).toBeVisible()
    await signIn.enter(email, password)
    await expect(page).toHaveURL(`${BASE_URL}/docs`)
    expect(asked.filter((url) => /password=|not%20the|correct/.test(url))).toEqual([])
  })
})
