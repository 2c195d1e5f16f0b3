import { makeOwn, signUp } from './support/account'
import { test } from './support/admin-test'
import { BASE_URL } from './support/settings'
import { expect, uniqueCode } from './support/test'

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
