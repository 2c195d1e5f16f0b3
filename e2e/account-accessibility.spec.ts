import { signUp } from './support/account'
import { signOut } from './support/account-menu'
import { expectClean } from './support/clean'
import { SettingsPage } from './support/settings-page'
import { SignInPage } from './support/sign-in-page'
import { expect, test } from './support/test'
import { totp } from './support/totp'

test.describe('everyone can use', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  test('the pages before signing in', async ({ page }) => {
    const signIn = new SignInPage(page)
    await signIn.open('?error=account_not_linked')
    await expect(page.getByRole('alert').filter({ hasText: 'There’s already an account' })).toBeVisible()
    await expectClean(page)
    await signIn.enter('nobody@example.com', 'not the password')
    await expect(signIn.password).toBeFocused()
    await expect(page.getByRole('alert').filter({ hasText: 'Wrong email' })).toBeVisible()
    await expectClean(page)
    await page.goto('/sign-up')
    await page.getByRole('button', { name: 'Sign up' }).click()
    await expect(page.getByText('Enter a name.')).toBeVisible()
    await expectClean(page)
    await page.goto('/reset-password?token=nonsense')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link no longer works')
    await expectClean(page)
    for (const path of ['/reset', '/reset-password', '/verify', '/verify?error=TOKEN_EXPIRED', '/setup', '/invite/nonsense']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expectClean(page)
    }
  })

  test('the welcome, the offer to take links over, and the menu', async ({ front, page }) => {
    await front.make(`https://example.com/${'long/'.repeat(40)}`)
    const { name } = await signUp(page, 'Wolfgang Amadeus Theophilus von und zu Donaudampfschiff')
    for (const path of ['/sign-up/done', '/dashboard', '/']) {
      await page.goto(path)
      await expect(page.getByRole('region', { name: 'Links in this browser' })).toBeVisible()
      await expect(page.locator('.skeleton')).toHaveCount(0)
      await expectClean(page)
    }
    await page.getByRole('button', { name: `Account menu: ${name}` }).click()
    await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible()
    await expectClean(page)
  })

  test('the settings of the profile, of keys and of data, and their dialogs', async ({ page }) => {
    await signUp(page)
    const settings = new SettingsPage(page)
    await settings.open()
    await page.getByRole('switch', { name: 'Show a page with my links' }).click()
    await expect(page.getByText('Your public page is on')).toBeVisible()
    await page.getByRole('switch', { name: 'Check where my links lead' }).click()
    await expect(page.getByText('Nothing wrong was found.')).toBeVisible()
    await expectClean(page)

    await settings.open('/keys')
    await page.getByRole('button', { name: 'New key' }).click()
    await expect(settings.dialog).toBeVisible()
    await expectClean(page)
    await settings.dialog.getByLabel('Name').fill('Newsletter')
    await page.keyboard.press('Enter')
    await expect(settings.dialog.getByText('We won’t show it again')).toBeVisible()
    await expectClean(page)
    await settings.dialog.getByRole('button', { name: 'I’ve saved it' }).click()
    await expect(settings.keys).toHaveCount(1)
    await expectClean(page)
    await page.getByRole('button', { name: 'Revoke Newsletter' }).click()
    await expect(settings.dialog).toBeVisible()
    await expectClean(page)

    await settings.open('/data')
    await page.getByRole('button', { name: 'Export everything' }).click()
    await expect(page.getByRole('link', { name: 'Download file' })).toBeVisible()
    await expectClean(page)
    await page.getByRole('button', { name: 'Delete account' }).click()
    await settings.dialog.getByRole('button', { name: 'Delete account' }).click()
    await expect(settings.dialog.getByText('Enter your password.')).toBeVisible()
    await expectClean(page)
  })

  test('the settings of security and their dialogs', async ({ page }) => {
    const { password } = await signUp(page)
    const settings = new SettingsPage(page)
    await settings.open('/security')
    await expectClean(page)
    await settings.card('Two-factor authentication').getByRole('button', { name: 'Set up' }).click()
    await settings.confirm('not the password')
    await expect(settings.dialog.getByText('That’s not your current password.')).toBeVisible()
    await expectClean(page)
    await page.keyboard.press('Escape')
    await settings.enrol(password, async (secret) => {
      await expectClean(page)
      return totp(secret)
    })
    await expectClean(page)
    await settings.dialog.getByRole('button', { name: 'I’ve saved them' }).click()
    await expectClean(page)
  })

  test('the second step of signing in', async ({ page }) => {
    const { email, password } = await signUp(page)
    const settings = new SettingsPage(page)
    await settings.open('/security')
    await settings.enrol(password, (text) => totp(text))
    await settings.dialog.getByRole('button', { name: 'I’ve saved them' }).click()
    await signOut(page)
    const signIn = new SignInPage(page)
    await signIn.open()
    await signIn.enter(email, password)
    await expect(signIn.code).toBeFocused()
    await expectClean(page)
    await signIn.enterCode('nonsense')
    await expect(signIn.code).toHaveAttribute('aria-invalid', 'true')
    await expectClean(page)
    await page.getByRole('link', { name: 'Use a backup code' }).click()
    await expectClean(page)
  })
})
