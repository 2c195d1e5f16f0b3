import { makeOwn, signUp } from './support/account'
import { AdminPage } from './support/admin-page'
import { expectClean } from './support/clean'
import { query } from './support/database'
import { expect, test, uniqueCode } from './support/test'

test('what is wrong with destinations is in the list, in the filter, on the link and in the settings', async ({
  dashboard,
  page,
}) => {
  const [dead, parked, fine] = [uniqueCode('dead'), uniqueCode('parked'), uniqueCode('fine')]
  for (const code of [dead, parked, fine]) await makeOwn(page, { url: `http://10.1.2.3/${code}`, code })
  await page.goto('/dashboard/settings')
  const card = page.getByRole('switch', { name: 'Check where my links lead' })
  await expect(card).not.toBeChecked()
  await card.click()
  await expect(page.getByText('Destinations are checked from now on').first()).toBeVisible()
  await expect(page.getByText('Nothing wrong was found.')).toBeVisible()
  // A private address is never asked: what a check would find is written down.
  await query('UPDATE HealthAccount SET dueAt = UTC_TIMESTAMP(3) + INTERVAL 1 DAY')
  const found = (code: string, state: number, reason: string, status: number | null) =>
    query(
      `INSERT INTO LinkHealth SELECT id, ownerId, urlHash, ?, ?, ?, 3, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) + INTERVAL 3 DAY, TRUE, NULL
         FROM Link WHERE code = ? ON DUPLICATE KEY UPDATE state = VALUES(state)`,
      [state, reason, status, code],
    )
  await found(dead, 1, 'status', 404)
  await found(parked, 2, 'parked', 200)
  await page.reload()
  await expect(page.getByText('2 destinations need a look.')).toBeVisible()
  await expectClean(page)
  await page.getByRole('link', { name: 'Show these links' }).click()
  await expect(page.getByRole('link', { name: new RegExp(dead) }).first()).toBeVisible()
  await expect(page.getByRole('link', { name: new RegExp(parked) }).first()).toBeVisible()
  await expect(page.getByRole('link', { name: new RegExp(fine) })).toHaveCount(0)
  await expect(page.getByText('Health: Something wrong')).toBeVisible()
  await dashboard.open('?health=dead')
  await expect(page.getByRole('link', { name: new RegExp(parked) })).toHaveCount(0)
  await page.keyboard.press('j')
  await page.keyboard.press('e')
  await expect(dashboard.dialog).toContainText('Its destination answers with the error 404.')
  await expectClean(page)
})

test('strangers see that a link is paused', async ({ page }) => {
  await signUp(page)
  const code = uniqueCode('paused')
  await makeOwn(page, { url: 'https://example.com/paused', code, enabled: false })
  await query("UPDATE Link SET state = 'paused' WHERE code = ?", [code])
  const paused = await page.request.patch(`/api/v1/links/${code}`, { data: { title: 'Known' } })
  expect((await paused.json()).state).toBe('paused')
  const answer = await page.goto(`/${code}`)
  expect(answer?.status()).toBe(410)
  await expect(page.getByRole('heading', { name: 'This link is paused' })).toBeVisible()
  await expectClean(page)
})

test('admins upload the list of threats, and have links paused for it', async ({ page }) => {
  const admin = new AdminPage(page)
  await admin.signIn()
  const code = uniqueCode('threat')
  await makeOwn(page, { url: 'https://sub.threat.example/page', code })
  await admin.open('blocklist')
  await page.getByRole('button', { name: 'List of threats' }).click()
  const { dialog } = admin
  await expect(dialog).toContainText('There’s no list yet.')
  const upload = (text: string) =>
    dialog.getByLabel('Text file').setInputFiles({ name: 'threats.txt', mimeType: 'text/plain', buffer: Buffer.from(text) })
  await upload('# nothing at all')
  await expect(dialog).toContainText('This list names nothing.')
  await upload('threat.example\nabcdef12\nnot a host')
  await expect(dialog).toContainText('2 entries')
  await expect(dialog).toContainText('1 line couldn’t be read: 3')
  await dialog.getByRole('switch', { name: 'Pause links to listed destinations' }).click()
  await expectClean(page)
  await expect.poll(async () => (await page.request.get(`/${code}`, { maxRedirects: 0 })).status(), { timeout: 20_000 }).toBe(410)
  const refused = await page.request.post('/api/v1/links', { data: { url: 'https://threat.example/' } })
  expect((await refused.json()).errors).toMatchObject([{ path: 'url' }])
  await dialog.getByRole('button', { name: 'Remove the list' }).click()
  await expect(dialog).toContainText('There’s no list yet.')
  await expect.poll(async () => (await page.request.get(`/${code}`, { maxRedirects: 0 })).status(), { timeout: 20_000 }).toBe(302)
  await dialog.getByRole('switch', { name: 'Pause links to listed destinations' }).click()
})
