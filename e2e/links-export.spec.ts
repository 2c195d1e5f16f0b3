import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { signUp } from './support/account'
import { BASE_URL } from './support/settings'
import { SettingsPage } from './support/settings-page'
import { expect, test, uniqueCode } from './support/test'

/** Links leave by the settings page: as an import reads them, and as redirects for other servers. */

const DESTINATION = 'https://example.com/leaving?a=$1&b=2'

const FORMATS = [
  ['csv', 'terse-links.csv'],
  ['json', 'terse-links.json'],
  ['nginx', 'terse-nginx.conf'],
  ['apache', 'terse-apache.txt'],
  ['redirects', '_redirects'],
  ['s3-objects', 'terse-s3-objects.sh'],
  ['s3-rules', 'terse-s3-rules.xml'],
  ['node', 'terse-redirects.jsonl'],
] as const

test('each format is downloaded with the link, compressed too, and says what it can’t carry', async ({ page }) => {
  await signUp(page)
  const code = uniqueCode()
  const headers = { Origin: BASE_URL }
  expect((await page.request.post('/api/v1/links', { headers, data: { url: DESTINATION, code } })).status()).toBe(201)
  const settings = new SettingsPage(page)
  await settings.open('/data')
  const card = settings.card('Export links')
  const download = async () => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      card.getByRole('link', { name: 'Download', exact: true }).click(),
    ])
    return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
  }
  for (const [format, name] of FORMATS) {
    await card.getByLabel('Format').selectOption(format)
    const isSet = format !== 'csv' && format !== 'json'
    await expect(card.getByText('Redirects can’t ask for a password')).toHaveCount(isSet ? 1 : 0)
    const file = await download()
    expect(file.name).toBe(name)
    expect(file.bytes.toString(), format).toContain(code)
  }
  await expect(card.getByRole('link', { name: 'Download the server' })).toHaveAttribute('href', '/assets/terse-redirects.mjs')
  await card.getByLabel('Format').selectOption('nginx')
  await card.getByLabel('Compressed').check()
  const packed = await download()
  expect(packed.name).toBe('terse-nginx.conf.gz')
  expect(gunzipSync(packed.bytes).toString()).toContain(code)
})
