import { readFile } from 'node:fs/promises'
import { signedInAWhileAgo } from './support/account'
import { test } from './support/admin-test'
import { expectClean } from './support/clean'
import { ADMIN, BASE_URL } from './support/settings'
import { expect, uniqueCode } from './support/test'

const HOSTILE = '<img src=x onerror="document.title=1">'

test('a reported link is banned, and its visitors read why within a second', async ({
  admin,
  page,
  visitor,
  makeLink,
  request,
}) => {
  const { shortUrl, url } = await makeLink({ url: `https://phishing.example/${uniqueCode()}` })
  for (const details of ['It asks for my bank’s password.', HOSTILE]) {
    const data = { shortUrl, reason: 'phishing', details, email: 'reader@example.com' }
    expect((await request.post('/api/v1/reports', { data })).status()).toBe(201)
  }
  await admin.open('reports')
  const link = shortUrl.replace(/^https?:\/\//, '')
  await admin.row(link).first().getByRole('button').click()
  // Read, never followed.
  await expect(admin.dialog.getByText(url, { exact: true })).toBeVisible()
  await expect(admin.dialog.locator(`a[href="${url}"]`)).toHaveCount(0)
  await expect(admin.dialog.getByText(HOSTILE).first()).toBeVisible()
  // Links and accounts are told by their names: an ID says nothing to anybody.
  await expect(admin.dialog).not.toContainText(/\d{17}/)

  await expect(admin.dialog.getByRole('radio', { name: /^Ban link/ })).toBeChecked()
  await admin.dialog.getByLabel('Reason').fill('It imitates a bank')
  await admin.dialog.getByLabel('Answer').fill('Thank you, it is gone.')
  await admin.dialog.getByRole('button', { name: 'Ban link' }).click()
  await expect(admin.toast('Link banned')).toBeVisible()
  // Within how long is held by lib/api/links-admin.test.ts.
  await expect.poll(async () => (await visitor.request.get(shortUrl, { maxRedirects: 0 })).status()).toBe(410)
  await visitor.goto(shortUrl)
  await expect(visitor.getByText('It imitates a bank')).toBeVisible()

  await expect(admin.dialog.getByText('Thank you, it is gone.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(admin.row(link)).toHaveCount(0)
  await page.getByRole('button', { name: 'Acted on' }).click()
  await expect(admin.row(link)).toHaveCount(2)
  expect(await page.title()).not.toBe('1')

  await admin.open('audit', { action: 'report.ban' })
  const entry = admin.row(link.replace(/:\d+/, '')).or(admin.row(link)).first()
  await expect(entry).toContainText(/banned .* after a report/)
  await entry.getByText('Details').click()
  await expect(entry).toContainText('It imitates a bank')
  await expect(entry).toContainText('admin@example.com')
})

test('many links are banned at once, with a result for each; many deleted ones come back', async ({
  admin,
  page,
  makeLink,
  request,
  statusOf,
}) => {
  const stem = uniqueCode('many')
  const links = [await makeLink({ url: 'https://example.com/1', code: `${stem}-a` })]
  links.push(await makeLink({ url: 'https://example.com/2', code: `${stem}-b` }))
  links.push(await makeLink({ url: 'https://example.com/3', code: `${stem}-c` }))
  await admin.open('links', { q: stem })
  await expect(admin.rows).toHaveCount(3)
  await page.getByRole('checkbox', { name: /^Select all/ }).check()
  // One is gone by the time it is their turn.
  const gone = links[1]
  const headers = { Authorization: `Bearer ${gone?.manageToken}` }
  expect((await request.delete(`/api/v1/links/${gone?.code}`, { headers })).status()).toBe(204)
  await admin.chosen.getByRole('button', { name: 'Ban', exact: true }).click()
  await admin.dialog.getByLabel('Reason').fill('All of a kind')
  await admin.dialog.getByRole('button', { name: 'Ban', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Failed' }).getByRole('listitem')).toHaveCount(1)
  await expect(admin.row('Banned')).toHaveCount(2)
  expect(await statusOf(`${BASE_URL}/${stem}-a`)).toBe(410)
  await page.getByRole('button', { name: 'Show all 3 results' }).click()
  await expect(page.getByRole('region', { name: 'All results' }).getByRole('listitem')).toHaveCount(3)
  await page.getByRole('checkbox', { name: /^Select all/ }).check()
  await admin.chosen.getByRole('button', { name: 'Unban' }).click()
  await expect(admin.row('Banned')).toHaveCount(0)
  expect(await statusOf(`${BASE_URL}/${stem}-a`)).toBe(302)

  await page.getByRole('checkbox', { name: /^Select all/ }).check()
  await admin.chosen.getByRole('button', { name: 'Delete' }).click()
  await expect(admin.rows).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(admin.rows).toHaveCount(2)
})

test('one looks inside a link by keyboard, and does to it what can be taken back', async ({
  admin,
  page,
  makeLink,
  statusOf,
}) => {
  const code = uniqueCode('inside')
  const { shortUrl } = await makeLink({ url: 'https://example.com/inside', code, title: HOSTILE })
  await admin.open('links', { q: code })
  const name = admin
    .row(code)
    .getByRole('button', { name: new RegExp(`/${code}$`) })
    .first()
  await name.focus()
  await page.keyboard.press('Enter')
  await expect(admin.dialog.getByText(HOSTILE)).toBeVisible()
  await expect(page).toHaveURL(/open=\d+/)
  await admin.dialog.getByRole('button', { name: 'Turn off' }).click()
  await expect(admin.dialog.getByText('Turned off', { exact: true })).toBeVisible()
  expect(await statusOf(shortUrl)).toBe(410)
  await admin.dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(admin.dialog.getByRole('button', { name: 'Turn off' })).toBeVisible()
  expect(await statusOf(shortUrl)).toBe(302)
  await page.goBack()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await admin.choose(code, 'Delete')
  await expect(admin.rows).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(admin.row(code)).toBeVisible()
  expect(await statusOf(shortUrl)).toBe(302)
  expect(await page.title()).not.toBe('1')
})

test('everyone’s links are exported by an admin who shows who they are, and the audit log says so', async ({
  admin,
  page,
  makeLink,
}) => {
  const { code } = await makeLink({ url: 'https://example.com/of-all', code: uniqueCode('all') })
  await admin.open('links')
  await signedInAWhileAgo(ADMIN.email)
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  await expect(admin.dialog).toContainText('as safe as the database')
  await expectClean(page)
  await admin.dialog.getByLabel('Format').selectOption('JSON')
  await admin.dialog.getByRole('button', { name: 'Export', exact: true }).click()
  const asked = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await asked.getByLabel('Your password').fill(ADMIN.password)
  const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  expect(file.suggestedFilename()).toBe('terse-links.json')
  const { links } = JSON.parse(await readFile(await file.path(), 'utf8')) as { links: { code: string }[] }
  expect(links.map((link) => link.code)).toContain(code)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await admin.open('audit', { action: 'links.export' })
  await expect(admin.rows.first()).toContainText('admin@example.com')
})
