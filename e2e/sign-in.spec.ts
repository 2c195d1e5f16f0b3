import type { Page } from '@playwright/test'
import { OidcProvider } from '../lib/testing/oidc'
import { signUp } from './support/account'
import { signOut } from './support/account-menu'
import { BASE_URL, PROVIDER_PORT } from './support/settings'
import { SettingsPage } from './support/settings-page'
import { SignInPage } from './support/sign-in-page'
import { expect, test } from './support/test'
import { totp } from './support/totp'

test('a second factor is set up, asked for, passed by a backup code, trusted, and turned off', async ({ page, browser }) => {
  const { email, password } = await signUp(page)
  const settings = new SettingsPage(page)
  await settings.open('/security')
  const { secret, backupCodes } = await settings.enrol(password, (text) => totp(text))
  await settings.expectKept()
  await settings.dialog.getByRole('button', { name: 'I’ve saved them' }).click()
  await expect(settings.card('Two-factor authentication')).toContainText('On')

  const elsewhere = await browser.newContext({ baseURL: BASE_URL })
  const other = await elsewhere.newPage()
  const signIn = new SignInPage(other)
  await signIn.open()
  await signIn.enter(email, password)
  await expect(signIn.code).toBeFocused()
  // No code, no session.
  expect((await other.request.get('/api/v1/account')).status()).toBe(401)
  await signIn.enterCode(totp(secret) === '000000' ? '111111' : '000000')
  await expect(other.getByText('This code is wrong or was already used.')).toBeVisible()
  // The code that set the app up is used.
  await signIn.enterCode(totp(secret, 1))
  await expect(other).toHaveURL(`${BASE_URL}/dashboard`)

  await signOut(other)
  await signIn.open()
  await signIn.enter(email, password)
  await other.getByRole('link', { name: 'Use a backup code' }).click()
  await other.getByLabel('Trust this device').check()
  await signIn.enterCode(backupCodes[0] ?? '')
  await expect(other).toHaveURL(`${BASE_URL}/dashboard`)
  await signOut(other)
  await signIn.open()
  await signIn.enter(email, password)
  await expect(other).toHaveURL(`${BASE_URL}/dashboard`)
  await elsewhere.close()

  await settings.card('Two-factor authentication').getByRole('button', { name: 'Turn off' }).click()
  await settings.confirm('not the password')
  await expect(settings.dialog.getByText('That’s not your current password.')).toBeVisible()
  await settings.confirm(password)
  await expect(settings.dialog).toBeHidden()
  await expect(settings.card('Two-factor authentication')).toContainText('Off')
  // Its button has gone.
  await expect(settings.card('Two-factor authentication')).toBeFocused()
})

test('a passkey is added, renamed, signs in by itself and when asked for, and is removed', async ({ page }) => {
  await addAuthenticator(page)
  await signUp(page)
  const settings = new SettingsPage(page)
  await settings.open('/security')
  await settings.card('Passkeys').getByRole('button', { name: 'Add passkey' }).click()
  await settings.dialog.getByRole('textbox', { name: 'Name' }).fill('Laptop')
  await page.keyboard.press('Enter')
  await expect(settings.passkeys).toContainText('Laptop')
  await settings.passkeys.getByRole('button', { name: 'Rename Laptop' }).click()
  await settings.dialog.getByRole('textbox', { name: 'Name' }).fill('Work laptop')
  await page.keyboard.press('Enter')
  await expect(settings.passkeys).toContainText('Work laptop')

  // This device chooses at once what the browser offers at the login field.
  await signOut(page)
  await page.goto('/sign-in?next=/dashboard/overview')
  await expect(page).toHaveURL(`${BASE_URL}/dashboard/overview`)
  // As a browser that offers none there.
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })
  await signOut(page)
  const signIn = new SignInPage(page)
  await signIn.open()
  await signIn.passkey.click()
  await expect(page).toHaveURL(`${BASE_URL}/dashboard`)

  await settings.open('/security')
  await settings.passkeys.getByRole('button', { name: 'Remove Work laptop' }).click()
  await settings.dialog.getByRole('button', { name: 'Remove passkey' }).click()
  await expect(settings.passkeys).toHaveCount(0)
})

test('the sign-in provider is linked, signs in, and is unlinked', async ({ page }) => {
  const provider = await OidcProvider.open(PROVIDER_PORT)
  try {
    const { email, name } = await signUp(page)
    const settings = new SettingsPage(page)
    provider.visitor = { sub: 'someone-else', email: `else-${email}`, email_verified: true }
    await settings.open('/security')
    const card = settings.card('Sign-in provider')
    await card.getByRole('button', { name: 'Connect Example ID' }).click()
    await expect(card.getByText('The other account has a different email')).toBeVisible()

    provider.visitor = { sub: email, email, email_verified: true }
    await card.getByRole('button', { name: 'Connect Example ID' }).click()
    await expect(card.getByRole('listitem')).toContainText('Connected')
    await signOut(page)
    await page.goto('/sign-in')
    await page.getByRole('button', { name: 'Continue with Example ID' }).click()
    await expect(page.getByRole('button', { name: `Account menu: ${name}` })).toBeVisible()

    await settings.open('/security')
    await card.getByRole('button', { name: 'Disconnect' }).click()
    await settings.dialog.getByRole('button', { name: 'Disconnect' }).click()
    await expect(card.getByRole('button', { name: 'Connect Example ID' })).toBeVisible()
    await signOut(page)
    await page.goto('/sign-in')
    await page.getByRole('button', { name: 'Continue with Example ID' }).click()
    await expect(page.getByText('There’s already an account with your email.')).toBeVisible()
  } finally {
    provider.close()
  }
})

/** A device with passkeys, which someone touches as soon as it asks. */
async function addAuthenticator(page: Page): Promise<void> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}
