import { signUp } from './support/account'
import { AdminPage } from './support/admin-page'
import { expectClean } from './support/clean'
import { query } from './support/database'
import { expect, test, uniqueCode } from './support/test'

test('links are imported from a file, and what could not be made is named', async ({
  dashboard,
  page,
  destination,
  statusOf,
  baseURL,
}) => {
  await dashboard.open()
  const code = uniqueCode('import')
  await page.getByRole('button', { name: 'Import' }).click()
  await dashboard.dialog.getByRole('button', { name: 'Check' }).click()
  await expect(dashboard.dialog.getByRole('alert')).toContainText('Choose a file or paste a list.')
  const chosen = { name: 'chosen.csv', mimeType: 'text/csv', buffer: Buffer.from('url\n') }
  await dashboard.dialog.getByLabel('Choose a file').setInputFiles(chosen)
  await expect(dashboard.dialog.getByRole('alert')).toHaveCount(0)
  const none = Buffer.from('name,colour\na,b\n')
  await dashboard.dialog.getByLabel('Choose a file').setInputFiles({ name: 'none.csv', mimeType: 'text/csv', buffer: none })
  await dashboard.dialog.getByRole('button', { name: 'Check' }).click()
  await expect(dashboard.dialog.getByRole('alert')).toContainText('There’s no `url` column.')
  const csv = `Long URL;Short code;Title\n${destination}/page;${code};A page\nnonsense;other;Not one\n`
  const file = { name: 'links.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
  await dashboard.dialog.getByLabel('Choose a file').setInputFiles(file)
  await dashboard.dialog.getByRole('button', { name: 'Check' }).click()
  const failed = dashboard.dialog.getByRole('region', { name: 'Failed' })
  await expect(failed).toContainText('other')
  await expect(failed).toContainText('Enter a whole URL')
  // Nothing is there before it is told to start.
  expect(await statusOf(`${baseURL}/${code}`)).toBe(404)
  await dashboard.dialog.getByRole('button', { name: 'Import 1 link' }).click()
  await expect(dashboard.dialog.getByRole('button', { name: 'Undo import' })).toBeVisible()
  await expect(dashboard.dialog.getByText('Created')).toBeVisible()
  const results = page.waitForEvent('download')
  await dashboard.dialog.getByRole('link', { name: 'Download results' }).click()
  expect((await results).suggestedFilename()).toMatch(/^terse-import-\d+\.csv$/)
  await dashboard.dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(dashboard.row(code)).toContainText('A page')
  await expect(dashboard.rows).toHaveCount(1)
  expect(await statusOf(`${baseURL}/${code}`)).toBe(302)
})

test('checks that were left keep nobody from importing, and an import is found again after its dialog was closed', async ({
  dashboard,
  page,
  destination,
  statusOf,
  baseURL,
}) => {
  await dashboard.open()
  const { dialog } = dashboard
  const past = dialog.getByRole('region', { name: 'Your imports' })
  const codes = Array.from({ length: 6 }, () => uniqueCode('left'))
  for (const code of codes) {
    await page.getByRole('button', { name: 'Import' }).click()
    await dialog.getByLabel('Or paste a list').fill(`url,code\n${destination}/page,${code}\n`)
    await dialog.getByRole('button', { name: 'Check', exact: true }).click()
    await expect(dialog.getByRole('button', { name: 'Import 1 link' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  }
  await page.reload()
  await page.getByRole('button', { name: 'Import' }).click()
  await expect(past.getByRole('listitem')).toHaveCount(5)
  await expectClean(page)
  await past.getByRole('button', { name: 'Show' }).first().click()
  await dialog.getByRole('button', { name: 'Import 1 link' }).click()
  await expect(dialog.getByRole('button', { name: 'Undo import' })).toBeVisible()
  const last = `${baseURL}/${codes.at(-1)}`
  expect(await statusOf(last)).toBe(302)
  await page.keyboard.press('Escape')
  await page.reload()
  await page.getByRole('button', { name: 'Import' }).click()
  await past.getByRole('listitem').filter({ hasText: 'Import 1 link' }).getByRole('button').click()
  await dialog.getByRole('button', { name: 'Undo import' }).click()
  await expect(dialog.getByText('Deleted', { exact: true })).toBeVisible()
  expect(await statusOf(last)).toBe(410)
})

test('an import is undone, and says what it deleted', async ({ dashboard, page, destination, statusOf, baseURL }) => {
  await dashboard.open()
  const code = uniqueCode('undo')
  await page.getByRole('button', { name: 'Import' }).click()
  await dashboard.dialog.getByLabel('Or paste a list').fill(`[{"url":"${destination}/page","code":"${code}"}]`)
  await dashboard.dialog.getByRole('button', { name: 'Check' }).click()
  await dashboard.dialog.getByRole('button', { name: 'Import 1 link' }).click()
  await dashboard.dialog.getByRole('button', { name: 'Undo import' }).click()
  await expect(dashboard.dialog.getByText('Deleted')).toBeVisible()
  expect(await statusOf(`${baseURL}/${code}`)).toBe(410)
})

test('an import is paused, and goes on where it was', async ({ dashboard, page, destination }) => {
  await dashboard.open()
  const { dialog } = dashboard
  const count = 12_000
  const stem = uniqueCode('pause')
  const rows = Array.from({ length: count }, (_, n) => `${destination}/${n},${stem}-${n}`)
  await page.getByRole('button', { name: 'Import' }).click()
  const file = { name: 'many.csv', mimeType: 'text/csv', buffer: Buffer.from(`url,code\n${rows.join('\n')}\n`) }
  await dialog.getByLabel('Choose a file').setInputFiles(file)
  await dialog.getByRole('button', { name: 'Check' }).click()
  await dialog.getByRole('button', { name: 'Import 12,000 links' }).click()
  await dialog.getByRole('button', { name: 'Pause' }).click()
  const resume = dialog.getByRole('button', { name: 'Resume' })
  await expect(resume).toBeVisible()
  await expectClean(page)
  const made = async () => {
    const [row] = await query<{ links: bigint }>('SELECT COUNT(*) AS links FROM Link WHERE code LIKE ?', [`${stem}-%`])
    return Number(row?.links)
  }
  // What was under way is finished; then nothing moves, however long that is.
  let before = -1
  const stands = async () => {
    const last = before
    before = await made()
    return before === last
  }
  await expect.poll(stands, { intervals: [500] }).toBe(true)
  expect(before).toBeLessThan(count)
  await page.waitForTimeout(1_000)
  expect(await made()).toBe(before)
  await resume.click()
  await expect(dialog.getByRole('button', { name: 'Undo import' })).toBeVisible({ timeout: 20_000 })
  expect(await made()).toBe(count)
})

test('a file is dropped where it can be chosen', async ({ dashboard, page, destination }) => {
  await dashboard.open()
  await page.getByRole('button', { name: 'Import' }).click()
  const csv = `url,code\n${destination}/page,${uniqueCode('dropped')}\n`
  const dropped = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer()
    transfer.items.add(new File([text], 'dropped.csv', { type: 'text/csv' }))
    return transfer
  }, csv)
  await dashboard.dialog.getByText('or drop it here').dispatchEvent('drop', { dataTransfer: dropped })
  await expect(dashboard.dialog.getByText('dropped.csv')).toBeVisible()
  await dashboard.dialog.getByRole('button', { name: 'Check' }).click()
  await expect(dashboard.dialog.getByRole('button', { name: 'Import 1 link' })).toBeVisible()
})

test('a dump of another shortener is imported as it is, and compared with the old links', async ({
  dashboard,
  page,
  destination,
  statusOf,
  baseURL,
}) => {
  await dashboard.open()
  const code = uniqueCode('moved')
  await page.getByRole('button', { name: 'Import' }).click()
  const { dialog } = dashboard
  await dialog.getByLabel('Import from').selectOption('YOURLS')
  const dump = `-- MySQL dump\nINSERT INTO \`yourls_url\` VALUES ('${code}','${destination}/page','Moved','2026-01-02 03:04:05','',3);\n`
  const file = { name: 'dump.sql', mimeType: 'application/sql', buffer: Buffer.from(dump) }
  await dialog.getByLabel('Choose a file').setInputFiles(file)
  await dialog.getByRole('button', { name: 'Check' }).click()
  await dialog.getByRole('button', { name: 'Import 1 link' }).click()
  await dialog.getByRole('button', { name: 'Compare with the old links' }).click()
  await dialog.getByRole('button', { name: 'Compare', exact: true }).click()
  await expect(dialog.getByRole('alert')).toContainText('Enter the address of the old service')
  // What this site is not to ask is not asked.
  await dialog.getByLabel('Old address').fill('http://10.0.0.1')
  await dialog.getByRole('button', { name: 'Compare', exact: true }).click()
  await expect(dialog.getByRole('alert')).toContainText('10.0.0.1 isn’t on the public internet')
  await dialog.getByLabel('Old address').fill(destination)
  await dialog.getByRole('button', { name: 'Compare', exact: true }).click()
  await expect(dialog.getByText('Other destination')).toBeVisible()
  expect(await statusOf(`${baseURL}/${code}`)).toBe(301)
})

test('the columns of any table are guessed, shown with what they say, and corrected', async ({
  dashboard,
  page,
  destination,
  statusOf,
  baseURL,
}) => {
  await dashboard.open()
  const code = uniqueCode('mapped')
  await page.getByRole('button', { name: 'Import' }).click()
  const { dialog } = dashboard
  await dialog.getByLabel('Import from').selectOption('Any CSV or JSON')
  await dialog.getByLabel('Or paste a list').fill(`Go to,Name of it,Back\n${destination}/page,A page,${code}\n`)
  await dialog.getByRole('button', { name: 'Next' }).click()
  await expect(dialog.getByText(`${destination}/page`)).toBeVisible()
  await dialog.getByRole('button', { name: 'Check' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Say which column has the destinations')
  await dialog.getByLabel('Go to').selectOption('url')
  await dialog.getByLabel('Name of it').selectOption('title')
  await dialog.getByLabel('Back', { exact: true }).selectOption('code')
  await dialog.getByRole('button', { name: 'Check' }).click()
  await dialog.getByRole('button', { name: 'Import 1 link' }).click()
  await expect(dialog.getByRole('button', { name: 'Undo import' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(dashboard.row(code)).toContainText('A page')
  expect(await statusOf(`${baseURL}/${code}`)).toBe(302)
})

test('a file of another shortener is recognized, and rows that fail for one reason are told once', async ({
  dashboard,
  page,
  destination,
}) => {
  await dashboard.open()
  await page.getByRole('button', { name: 'Import' }).click()
  const { dialog } = dashboard
  const code = uniqueCode('bit')
  const lines = Array.from({ length: 6 }, (_, i) => `Bad ${i},nonsense,bit.ly/bad${i},2025-01-02 03:04:05`)
  const csv = ['title,long_url,link,create_date', `A page,${destination}/page,bit.ly/${code},2025-01-02 03:04:05`, ...lines]
  const file = { name: 'bitly.csv', mimeType: 'text/csv', buffer: Buffer.from(csv.join('\n')) }
  await dialog.getByLabel('Choose a file').setInputFiles(file)
  await expect(dialog.getByRole('status')).toHaveText('This file looks like one from Bitly.')
  await expect(dialog.getByLabel('Import from')).toHaveValue('bitly')
  await expectClean(page)
  await dialog.getByRole('button', { name: 'Check' }).click()
  await expect(dialog.getByRole('button', { name: 'Import 1 link' })).toBeVisible()
  const failed = dialog.getByRole('region', { name: 'Failed' })
  await expect(failed.getByText('6 rows')).toBeVisible()
  await expect(failed.getByText('Enter a whole URL')).toHaveCount(1)
  await failed.getByText('6 rows').click()
  await expect(failed.getByText('Line 3, Line 4')).toBeVisible()
  await expectClean(page)
})

test('an admin is asked whose imported links become, and who has an account here is known', async ({
  browser,
  page,
  destination,
}) => {
  const theirs = await browser.newPage()
  const { email } = await signUp(theirs)
  await new AdminPage(page).signIn()
  await page.goto('/dashboard')
  const code = uniqueCode('owned')
  await page.getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog')
  const rows = [
    { url: `${destination}/page`, code, owner: email },
    { url: `${destination}/page`, code: `${code}-2`, owner: 'Mia Moss' },
  ]
  await dialog.getByLabel('Or paste a list').fill(JSON.stringify(rows))
  await dialog.getByRole('button', { name: 'Check' }).click()
  await expect(dialog.getByLabel(`Account for ${email}`)).toHaveValue(email)
  await dialog.getByLabel('Account for Mia Moss').fill('nobody@example.com')
  await dialog.getByRole('button', { name: 'Import 2 links' }).click()
  await expect(dialog.getByLabel('Account for Mia Moss')).toHaveAttribute('aria-invalid', 'true')
  await dialog.getByLabel('Account for Mia Moss').fill('')
  await dialog.getByRole('button', { name: 'Import 2 links' }).click()
  await expect(dialog.getByRole('button', { name: 'Undo import' })).toBeVisible()
  const listed = await theirs.request.get('/api/v1/links')
  expect((await listed.json()).links.map((link: { code: string }) => link.code)).toEqual([code])
  await theirs.close()
})
