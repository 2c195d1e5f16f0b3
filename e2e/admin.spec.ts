import { signUp } from './support/account'
import { test } from './support/admin-test'
import { expect, uniqueCode } from './support/test'

test('the pages are there for admins only', async ({ page }) => {
  const nobody = await page.request.get('/admin/links', { maxRedirects: 0 })
  expect(nobody.status()).toBe(307)
  await signUp(page)
  for (const section of ['', '/links', '/accounts', '/reports', '/blocklist', '/domains', '/system', '/audit']) {
    expect((await page.request.get(`/admin${section}`)).status(), section).toBe(404)
  }
})

test('an admin finds every page of theirs by a few letters', async ({ admin, page }) => {
  await admin.open('audit')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('blockl')
  await expect(admin.dialog.getByRole('option').first()).toContainText('Blocklist')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/admin\/blocklist$/)
})

test('a rule of the blocklist refuses new links, and bans those there are', async ({
  admin,
  page,
  makeLink,
  request,
  statusOf,
}) => {
  const host = `${uniqueCode('bad')}.example`
  const { shortUrl } = await makeLink({ url: `https://deep.${host}/here` })
  await admin.open('blocklist')
  await page.getByRole('button', { name: 'Add rule' }).first().click()
  await admin.dialog.getByLabel('Type').selectOption('Domain')
  await admin.dialog.getByLabel('Domain', { exact: true }).fill(host)
  await admin.dialog.getByLabel('Reason').fill('A wave of spam')
  await admin.dialog.getByRole('button', { name: 'Add rule' }).click()
  await expect(admin.dialog.getByText('1 existing link matches and still works.')).toBeVisible()
  await admin.dialog.getByRole('button', { name: 'Ban all' }).click()
  await expect(admin.dialog.getByText('Done · 1', { exact: true })).toBeVisible()
  expect(await statusOf(shortUrl)).toBe(410)
  await admin.dialog.getByRole('button', { name: 'Close' }).last().click()

  const refused = await request.post('/api/v1/links', { data: { url: `https://${host}/again` } })
  expect(refused.status()).toBe(422)
  expect(((await refused.json()) as { errors: { path: string }[] }).errors[0]?.path).toBe('url')

  await page.getByRole('searchbox', { name: 'Search rules' }).fill(host)
  await admin.choose(host, 'Remove')
  await expect(admin.row(host)).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(admin.row(host)).toBeVisible()
})

test('a hosts file is imported, and its bad lines are named', async ({ admin, page }) => {
  const host = `${uniqueCode('listed')}.example`
  await admin.open('blocklist')
  await page.getByRole('button', { name: 'Import' }).click()
  await admin.dialog.getByLabel('Choose a file').setInputFiles({
    name: 'hosts.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from(`# a list\n0.0.0.0 ${host}\n\nnot a host!!\n`),
  })
  await admin.dialog.getByRole('button', { name: 'Import' }).click()
  await expect(admin.dialog.getByText(/^Done · /)).toBeVisible()
  await expect(admin.dialog.getByRole('region', { name: 'Failed' })).toContainText('not a host!!')
  await page.keyboard.press('Escape')
  await admin.open('blocklist', { q: host })
  await expect(admin.rows).toHaveCount(1)
})

test('a domain is added with what proves it, and removed', async ({ admin, page }) => {
  const host = `${uniqueCode('go')}.example`
  await admin.open('domains')
  await page.getByRole('button', { name: 'Add domain' }).click()
  await admin.dialog.getByLabel('Domain', { exact: true }).fill('https://no')
  await page.keyboard.press('Enter')
  await expect(admin.dialog.getByLabel('Domain', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await admin.dialog.getByLabel('Domain', { exact: true }).fill(host)
  await page.keyboard.press('Enter')
  const card = page.getByRole('region', { name: host })
  await expect(card.getByText('Not verified')).toBeVisible()
  await card.getByRole('button', { name: 'Copy value' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^terse-verification=/)
  await card.getByRole('button', { name: /^Verify/ }).click()
  await expect(card.getByRole('alert')).toContainText('The TXT record wasn’t found')
  await card.getByRole('button', { name: /^Redirects/ }).click()
  await admin.dialog.getByLabel('Redirect unknown links to').fill('example.org/lost')
  await admin.dialog.getByRole('button', { name: 'Save' }).click()
  await expect(card).toContainText('https://example.org/lost')
  await card.getByRole('button', { name: /^Remove/ }).click()
  await admin.dialog.getByRole('button', { name: 'Remove' }).click()
  await expect(card).toHaveCount(0)
})

test('the system page is live, says when it no longer is, and rebuilds the filter of known links', async ({ admin, page }) => {
  await admin.open('system')
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  for (const name of ['MySQL', 'Redis'])
    await expect(page.getByRole('region', { name }).getByText('Connected', { exact: true })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Redis' })).toContainText('Up to date')
  await expect(page.getByRole('region', { name: 'Numbers in use' })).toContainText('10000000 to 19999999')

  await page.route('**/api/v1/admin/system', (route) => route.abort())
  await expect(page.getByText(/^Last updated .* ago$/)).toBeVisible()
  await page.unroute('**/api/v1/admin/system')
  await expect(page.getByText('Live', { exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Rebuild the filter' }).click()
  await admin.dialog.getByRole('button', { name: 'Rebuild' }).click()
  const jobs = page.getByRole('region', { name: 'Jobs' })
  await expect(
    jobs
      .getByRole('listitem')
      .filter({ hasText: /filter/i })
      .first(),
  ).toContainText('Done')
})

test('a figure that is not as it should be says what to do, and is found from above', async ({ admin, page }) => {
  await admin.open('system')
  const system = await (await page.request.get('/api/v1/admin/system')).json()
  await page.route('**/api/v1/admin/system', (route) =>
    route.fulfill({ json: { ...system, redis: { ...system.redis, unheardChanges: 3 } } }),
  )
  await page.getByRole('region', { name: 'System status' }).getByRole('link', { name: 'Redis: Replication of changes' }).click()
  const redis = page.getByRole('region', { name: 'Redis' })
  await expect(redis).toContainText('3 changes waiting')
  await expect(redis.getByRole('img', { name: 'Warning' })).toBeVisible()
  await expect(redis).toContainText('check the Redis log')
})

test('the nightly copy is shown where there is one: when it was made, how large it is, and what failed', async ({
  admin,
  page,
}) => {
  await admin.open('system')
  const card = page.getByRole('region', { name: 'Nightly copy' })
  await expect(page.getByRole('region', { name: 'Numbers in use' })).toBeVisible()
  await expect(card).toHaveCount(0)
  const system = await (await page.request.get('/api/v1/admin/system')).json()
  expect(system.copies).toBeNull()
  const day = 86_400_000
  const copies = {
    ...{ to: '/srv/copies', finishedAt: new Date(Date.now() - day).toISOString(), bytes: 12_345_678 },
    ...{ nextAt: new Date(Date.now() + day).toISOString(), failedAt: null as string | null, failure: '' },
  }
  await page.route('**/api/v1/admin/system', (route) => route.fulfill({ json: { ...system, copies } }))
  await expect(card).toContainText('/srv/copies')
  await expect(card).toContainText('12 MB')
  await expect(card.getByRole('img', { name: 'OK' })).toBeVisible()
  Object.assign(copies, { failedAt: new Date().toISOString(), failure: 'ENOSPC: no space left on device' })
  await expect(card).toContainText('ENOSPC: no space left on device')
  await expect(card).toContainText('tries again every five minutes')
  const verdict = page.getByRole('region', { name: 'System status' })
  await expect(verdict.getByRole('link', { name: 'Nightly copy: Last copy' })).toBeVisible()
})

test('who is no admin any more is told so, and what was read stays', async ({ admin, page }) => {
  await admin.open('audit')
  await page.route('**/api/v1/admin/audit?*', (route) =>
    route.fulfill({ status: 403, contentType: 'application/problem+json', json: { detail: 'Only admins can do this.' } }),
  )
  await page.getByRole('combobox', { name: 'Action' }).selectOption('Ban link')
  await expect(page.getByRole('alert').filter({ hasText: 'no longer an admin' })).toBeVisible()
})
