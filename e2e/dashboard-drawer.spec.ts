import { makeOwn } from './support/account'
import { expect, test, uniqueCode } from './support/test'

test('a link is changed in the drawer, and the row shows it', async ({ dashboard, page, destination, request }) => {
  const code = uniqueCode('edit')
  const { shortUrl } = await makeOwn(page, { url: 'https://example.com/before', code })
  await dashboard.open()
  await dashboard.row(code).getByRole('button', { name: /^Edit/ }).click()
  const { dialog } = dashboard
  await expect(dialog.getByLabel('Destination')).toBeFocused()
  await dialog.getByLabel('Destination').fill(`${destination}/after`)
  await dialog.getByLabel('Title').fill('My page')
  await dialog.getByLabel('Expires', { exact: true }).fill('2000-01-02T03:04')
  await dialog.getByText('Start and end', { exact: true }).click()
  await dialog.getByLabel('After expiry, redirect to').fill(`${destination}/over`)
  await dialog.getByRole('switch', { name: 'Show on my public page' }).click()
  await expect(dialog.getByRole('button', { name: 'Copy manage token' })).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  const row = dashboard.row(code)
  await expect(row).toContainText('My page')
  await expect(row).toContainText('/after')
  await expect(row).toContainText('Expired')
  await expect(row).toContainText('Public')
  await expect(row.getByRole('button', { name: /^Edit/ })).toBeFocused()
  const answer = await request.get(shortUrl, { maxRedirects: 0 })
  expect(answer.headers().location).toBe(`${destination}/over`)
})
