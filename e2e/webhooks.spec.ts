import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { makeOwn, signUp } from './support/account'
import { expectClean } from './support/clean'
import { SettingsPage } from './support/settings-page'
import { expect, test } from './support/test'

/** A program that takes webhooks. @returns its address, and what it was sent */
async function receiver(answer: () => number) {
  const received: { type: string }[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (chunk: Buffer) => {
      text += chunk
    })
    request.on('end', () => {
      received.push(JSON.parse(text) as { type: string })
      response.writeHead(answer()).end('thanks')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/hook`, host: `127.0.0.1:${port}`, received, close: () => server.close() }
}

test('a webhook is created with its secret shown once, told of a link, and its log is read and sent again', async ({ page }) => {
  await signUp(page)
  let status = 500
  const { url, host, received, close } = await receiver(() => status)
  const settings = new SettingsPage(page)
  await settings.open('/webhooks')
  await expect(page.getByText('No webhooks yet.')).toBeVisible()

  await page.getByRole('button', { name: 'New webhook' }).click()
  const { dialog } = settings
  await expect(dialog.getByLabel('A link on this site is reported')).toHaveCount(0)
  // What is wrong is said at its field, and nothing is lost.
  await dialog.getByLabel('Address').fill('http://169.254.169.254/latest')
  await dialog.getByRole('button', { name: 'Create webhook' }).click()
  await expect(dialog.getByText('This host is in a private network')).toBeVisible()
  await expect(dialog.getByLabel('Address')).toBeFocused()
  await dialog.getByLabel('Address').fill(url)
  await dialog.getByLabel('A link is created').uncheck()
  await dialog.getByLabel('Links are clicked').uncheck()
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Create webhook' }).click()
  await expect(dialog.getByText('Choose at least one event.')).toBeVisible()
  await dialog.getByLabel('A link is created').check()
  await dialog.getByRole('button', { name: 'Create webhook' }).click()
  await expect(dialog.locator('code')).toHaveText(/^whsec_[\w+/=]{40,}$/)
  const secret = await dialog.locator('code').textContent()
  await settings.expectKept()
  await dialog.getByRole('button', { name: 'I’ve saved it' }).click()
  const item = page.getByRole('list', { name: 'Webhooks' }).getByRole('listitem')
  await expect(item).toContainText(url)
  await expect(page.getByText(secret ?? '')).toHaveCount(0)

  const { code } = await makeOwn(page, { url: 'https://example.com/told' })
  await item.getByRole('button', { name: `Log of ${host}` }).click()
  await expect(dialog.getByText('500 in')).toBeVisible({ timeout: 15_000 })
  await expect(dialog.getByText('Waiting', { exact: true })).toBeVisible()
  status = 200
  await dialog.getByRole('button', { name: 'Send link.created again' }).click()
  await expect(dialog.getByText('Delivered', { exact: true })).toBeVisible({ timeout: 15_000 })
  await dialog.getByRole('button', { name: 'Details of link.created' }).click()
  await expect(dialog.getByText(`"code": "${code}"`)).toBeVisible()
  await expect(dialog.getByText('thanks')).toBeVisible()
  await expectClean(page)
  await page.keyboard.press('Escape')
  expect(received.length).toBeGreaterThan(1)

  await item.getByRole('button', { name: `More for ${host}` }).click()
  await page.getByRole('menuitem', { name: 'Send a test event' }).click()
  await expect(dialog.getByText('webhook.test')).toBeVisible()
  await expect.poll(() => received.map(({ type }) => type)).toContain('webhook.test')
  await page.keyboard.press('Escape')

  await item.getByRole('button', { name: `More for ${host}` }).click()
  await page.getByRole('menuitem', { name: 'New secret' }).click()
  await dialog.getByRole('button', { name: 'Create secret' }).click()
  await expect(dialog.locator('code')).toHaveText(/^whsec_/)
  await expect(dialog.locator('code')).not.toHaveText(secret ?? '')
  await dialog.getByRole('button', { name: 'I’ve saved it' }).click()

  await item.getByRole('button', { name: `More for ${host}` }).click()
  await page.getByRole('menuitem', { name: 'Turn off' }).click()
  await expect(item.getByText('Off', { exact: true })).toBeVisible()
  await item.getByRole('button', { name: `More for ${host}` }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await dialog.getByLabel('A link is deleted').check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(item).toContainText('Created · Deleted')
  await expectClean(page)

  await item.getByRole('button', { name: `More for ${host}` }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete webhook' }).click()
  await expect(page.getByText('No webhooks yet.')).toBeVisible()
  close()
})
