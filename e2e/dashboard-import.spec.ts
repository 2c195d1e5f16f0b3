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
  await dashboard.dialog.getByRole('button', { name: 'Import' }).click()
  await expect(dashboard.dialog.getByRole('alert')).toContainText('Choose a file or paste a list.')
  const latin = Buffer.from('url,title\nhttps://example.com/,Grüße\n', 'latin1')
  await dashboard.dialog.getByLabel('Choose a file').setInputFiles({ name: 'latin.csv', mimeType: 'text/csv', buffer: latin })
  await dashboard.dialog.getByRole('button', { name: 'Import' }).click()
  await expect(dashboard.dialog.getByRole('alert')).toContainText('The body isn’t valid UTF-8.')
  const csv = `Long URL;Short code;Title\n${destination}/page;${code};A page\nnonsense;other;Not one\n`
  const file = { name: 'links.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
  await dashboard.dialog.getByLabel('Choose a file').setInputFiles(file)
  await dashboard.dialog.getByRole('button', { name: 'Import' }).click()
  const failed = dashboard.dialog.getByRole('region', { name: 'Failed' })
  await expect(failed).toContainText('other')
  await expect(failed).toContainText('Enter a whole URL')
  await dashboard.dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(dashboard.row(code)).toContainText('A page')
  await expect(dashboard.rows).toHaveCount(1)
  expect(await statusOf(`${baseURL}/${code}`)).toBe(302)
})
