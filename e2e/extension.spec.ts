import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type BrowserContext, test as base, chromium, expect, type Page } from '@playwright/test'
import { buildExtension } from '../scripts/lib/build.mjs'
import { expectClean } from './support/clean'
import { BASE_URL } from './support/settings'

/** A browser with the extension in it. */
interface Installed {
  context: BrowserContext
  /** Opens one of its pages in a tab. */
  open: (name: string) => Promise<Page>
}

const test = base.extend<{ installed: Installed }>({
  installed: async ({ launchOptions }, use) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'terse-extension-'))
    const extension = await buildExtension(path.join(folder, 'extension'))
    allow(extension, `${BASE_URL}/*`)
    const context = await chromium.launchPersistentContext(path.join(folder, 'profile'), {
      ...launchOptions,
      executablePath: process.env.WHOLE_CHROMIUM_PATH ?? launchOptions.executablePath,
      args: [...(launchOptions.args ?? []), `--load-extension=${extension}`],
      ignoreDefaultArgs: ['--disable-extensions'],
      locale: 'en-GB',
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const id = idOf(extension)
    const open = async (name: string) => {
      const page = await context.newPage()
      await page.goto(`chrome-extension://${id}/${name}`)
      return page
    }
    await use({ context, open })
    await context.close()
    rmSync(folder, { recursive: true })
  },
})

/** What a person allows when the browser asks, which no test can press. */
function allow(extension: string, host: string): void {
  const file = path.join(extension, 'manifest.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...manifest, host_permissions: [host] }))
}

/** Chromium names an unpacked extension after its folder. */
const idOf = (folder: string) =>
  createHash('sha256')
    .update(folder)
    .digest('hex')
    .slice(0, 32)
    .replace(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 16)))

async function save(options: Page, server: string, key = ''): Promise<void> {
  await options.getByLabel('Your Terse server').fill(server)
  await options.getByLabel('API key (optional)').fill(key)
  await options.getByRole('button', { name: 'Save' }).click()
}

test('the tab one is on is shortened, copied and shown as a QR code', async ({ installed: { context, open } }) => {
  const options = await open('options.html')
  await save(options, `${BASE_URL}/report`)
  await expect(options.getByText('Saved.')).toBeVisible()

  const popup = await open('popup.html')
  const tab = await context.newPage()
  await tab.goto(`${BASE_URL}/docs`)
  await tab.bringToFront()
  await popup.reload()
  await expect(popup.getByLabel('Destination')).toHaveValue(`${BASE_URL}/docs`)
  await popup.getByLabel('Destination').fill(`https://example.com/extension/${Date.now()}`)
  await popup.getByRole('button', { name: 'Shorten' }).click()
  const link = popup.getByRole('link')
  await expect(link).toHaveAttribute('href', new RegExp(`^${BASE_URL}/\\w+$`))
  const shortUrl = (await link.getAttribute('href')) ?? ''
  await expect(popup.getByText('Copied to your clipboard.')).toBeVisible()
  expect(await popup.evaluate(() => navigator.clipboard.readText())).toBe(shortUrl)
  await popup.getByRole('button', { name: 'QR code' }).click()
  await expect(popup.getByRole('img', { name: `QR code for ${shortUrl}` }).locator('svg')).toBeVisible()
  const answer = await popup.request.get(shortUrl, { maxRedirects: 0 })
  expect(answer.headers().location).toContain('https://example.com/extension/')
})

test('a back-half that is taken, a wrong key and a wrong server are said, and nothing typed is lost', async ({
  installed: { open },
}) => {
  const options = await open('options.html')
  await save(options, BASE_URL, 'no key of anyone')
  await expect(options.getByRole('alert')).toHaveText('The server didn’t accept the API key. Check it in the settings.')
  await save(options, BASE_URL)
  await expect(options.getByText('Saved.')).toBeVisible()

  const popup = await open('popup.html')
  await popup.getByLabel('Destination').fill('https://example.com/taken')
  await popup.getByLabel('Back-half (optional)').fill('dashboard')
  await popup.getByRole('button', { name: 'Shorten' }).click()
  await expect(popup.getByRole('alert')).not.toBeEmpty()
  await expect(popup.getByLabel('Destination')).toHaveValue('https://example.com/taken')
})

test('its pages have no barrier that axe knows, and nothing sticks out', async ({ installed: { open } }) => {
  const options = await open('options.html')
  await expectClean(options)
  await save(options, BASE_URL)
  await expect(options.getByText('Saved.')).toBeVisible()
  const popup = await open('popup.html')
  await expectClean(popup)
  await popup.getByLabel('Destination').fill('https://example.com/barriers')
  await popup.getByRole('button', { name: 'Shorten' }).click()
  await expect(popup.getByRole('link')).toBeVisible()
  await expectClean(popup)
})
