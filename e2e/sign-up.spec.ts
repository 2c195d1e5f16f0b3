import type { Page } from '@playwright/test'
import { signUp } from './support/account'
import { signOut } from './support/account-menu'
import { DashboardPage } from './support/dashboard-page'
import { BASE_URL } from './support/settings'
import { SettingsPage } from './support/settings-page'
import { SignInPage } from './support/sign-in-page'
import { expect, test, uniqueCode } from './support/test'

const PASSWORD = 'correct horse battery'

test('someone makes an account, and the links of this browser become its links', async ({ front, page, statusOf }) => {
  const shortUrl = await front.make('https://example.com/mine')
  const code = new URL(shortUrl).pathname.slice(1)
  await page.getByRole('link', { name: 'Sign up' }).click()
  await page.getByLabel('Name').fill('Ada Löwenstein')
  await page.getByLabel('Email').fill(`${uniqueCode('ada')}@example.com`)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Ada Löwenstein')
  const handle =
    (await page
      .getByRole('region', { name: 'Your handle' })
      .getByText(/^[1-9]\d{7}$/)
      .textContent()) ?? ''
  const offer = page.getByRole('region', { name: 'Links in this browser' })
  await expect(offer).toContainText(code)
  await offer.getByRole('button', { name: 'Add to your account' }).click()
  await expect(page.getByText('1 link added to your account')).toBeVisible()
  await expect(offer).toBeHidden()
  await page.getByRole('link', { name: 'Go to your links' }).click()
  const dashboard = new DashboardPage(page)
  await dashboard.untilLoaded()
  await expect(dashboard.row(code)).toBeVisible()

  // Its key opens it no more, and the session does: it can be changed from this browser's list as before.
  await page.goto('/')
  expect(await page.evaluate(() => localStorage.getItem('terse:links'))).toContain('"manageToken":null')
  await front.row(shortUrl).getByRole('button', { name: /^Edit/ }).click()
  await front.dialog.getByLabel('Title').fill('Mine')
  await front.dialog.getByRole('button', { name: 'Save' }).click()
  await expect(front.row(shortUrl)).toContainText('Mine')
  await front
    .row(shortUrl)
    .getByRole('link', { name: /^Statistics/ })
    .click()
  await expect(page.getByText('No clicks yet')).toBeVisible()
  await page.goto('/')
  await front
    .row(shortUrl)
    .getByRole('button', { name: /^Delete/ })
    .click()
  await expect.poll(() => statusOf(shortUrl)).toBe(410)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => statusOf(shortUrl)).toBe(302)

  await signOut(page)
  await expect(front.row(shortUrl)).toContainText('Sign in to edit it.')
  const signIn = new SignInPage(page)
  await signIn.open('?next=/')
  await signIn.enter(`${handle.slice(0, 4)} ${handle.slice(4)}`, PASSWORD)
  await expect(page).toHaveURL(`${BASE_URL}/`)
  await expect(front.row(shortUrl).getByRole('button', { name: /^Edit/ })).toBeVisible()
})

test('links that were declined once are offered in the settings, and links made when signed in are in the account', async ({
  front,
  page,
}) => {
  const shortUrl = await front.make('https://example.com/later')
  await signUp(page)
  await page.goto('/dashboard')
  const offer = page.getByRole('region', { name: 'Links in this browser' })
  await offer.getByRole('button', { name: 'Not now' }).click()
  await expect(offer).toBeHidden()
  await page.reload()
  await expect(page.getByText('No links yet')).toBeVisible()
  await expect(offer).toBeHidden()
  const settings = new SettingsPage(page)
  await settings.open('/data')
  await settings.card('Links in this browser').getByRole('button', { name: 'Add to your account' }).click()
  await expect(page.getByText('1 link added to your account')).toBeVisible()

  await page.goto('/')
  await front.row(shortUrl).waitFor()
  const second = await front.make('https://example.com/at-once')
  const dashboard = new DashboardPage(page)
  await dashboard.open()
  expect(await dashboard.codes()).toEqual([second, shortUrl].map((url) => new URL(url).pathname.slice(1)))
})

test('people who sign in come to where they wanted to go, and never to another site', async ({ page }) => {
  const { email, password, handle } = await signUp(page)
  await page.context().clearCookies()
  const signIn = new SignInPage(page)
  await page.goto('/dashboard/overview')
  await expect(page).toHaveURL(`${BASE_URL}/sign-in?next=%2Fdashboard%2Foverview`)
  await expect(signIn.passkey).toBeEnabled()
  await signIn.enter(email, 'not the password')
  await expect(page.getByText('Wrong email, handle or password.')).toBeVisible()
  await expect(signIn.password).toBeFocused()
  await signIn.enter(email.toUpperCase(), password)
  await expect(page).toHaveURL(`${BASE_URL}/dashboard/overview`)
  // Signed in, there is nothing to ask.
  await page.goto('/sign-in')
  await expect(page).toHaveURL(`${BASE_URL}/dashboard`)
  await signOut(page)
  for (const next of ['https://example.com/', '//example.com', '/%5Cexample.com', '/some-link']) {
    await signIn.open(`?next=${encodeURIComponent(next)}`)
    await signIn.enter(handle, password)
    await expect(page).toHaveURL(`${BASE_URL}/dashboard`)
    await signOut(page)
  }
})

test('what is wrong in a form of the account is said at its field', async ({ page }) => {
  const { email } = await signUp(page)
  await signOut(await opened(page, '/'))
  const signIn = new SignInPage(page)
  await signIn.open()
  await signIn.submit.click()
  await expect(page.getByText('Enter your email or handle.')).toBeVisible()
  await expect(signIn.login).toBeFocused()

  await page.goto('/sign-up')
  const make = page.getByRole('button', { name: 'Sign up' })
  await make.click()
  await expect(page.getByText('Enter a name.')).toBeVisible()
  await page.getByLabel('Name').fill('Ada')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('short')
  await make.click()
  await expect(page.getByText('Use at least 8 characters.')).toBeVisible()
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await make.click()
  await expect(page.getByText('This email already has an account. Sign in instead.')).toBeVisible()
  await expect(page.getByLabel('Email')).toBeFocused()

  await page.route('**/api/auth/**', (route) => route.abort())
  await make.click()
  await expect(page.getByRole('alert').filter({ hasText: 'Can’t reach the server' })).toBeVisible()
})

async function opened(page: Page, path: string): Promise<Page> {
  await page.goto(path)
  return page
}
