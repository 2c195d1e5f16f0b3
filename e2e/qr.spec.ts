import { readFile } from 'node:fs/promises'
import type { Download, Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { pagesOf, readCode, readCodes } from '../lib/testing/qr'
import { makeOwn, signUp } from './support/account'
import { AdminPage } from './support/admin-page'
import { expectClean } from './support/clean'
import { BASE_URL } from './support/settings'
import { expect, test, uniqueCode } from './support/test'
import { expectCleanCopy, withoutScripts } from './support/without-scripts'

async function download(page: Page, button: Locator): Promise<Download> {
  const started = page.waitForEvent('download')
  await button.click()
  return await started
}

const contentOf = async (file: Download): Promise<Buffer> => await readFile(await file.path())

/** What the preview of a dialog says. */
async function shown(dialog: Locator): Promise<string> {
  const src = (await dialog.getByRole('img', { name: 'QR code for' }).getAttribute('src')) ?? ''
  return await readCode(Buffer.from(decodeURIComponent(src.slice(src.indexOf(',') + 1))))
}

/** Sets what a browser lets people choose in a window of its own. */
const choose = (dialog: Locator, label: string, color: string) => dialog.getByLabel(label, { exact: true }).fill(color)

test('the QR code holds the short link, on the screen and in each file, also without an account', async ({ front, page }) => {
  const shortUrl = await front.make('https://example.com/')
  const opener = front.result.getByRole('button', { name: 'QR code' })
  await opener.click()
  const { dialog } = front
  expect(await shown(dialog)).toBe(shortUrl)

  const svg = await download(page, dialog.getByRole('button', { name: 'Download SVG' }))
  expect(svg.suggestedFilename()).toMatch(/^qr-\w+\.svg$/)
  expect((await contentOf(svg)).toString()).toContain('width="40mm"')
  expect(await readCode(await contentOf(svg))).toBe(shortUrl)

  await dialog.getByRole('button', { name: 'PNG' }).click()
  await dialog.getByLabel('Size').selectOption({ label: '512 px' })
  const png = await contentOf(await download(page, dialog.getByRole('button', { name: 'Download PNG' })))
  expect(await sharp(png).metadata()).toMatchObject({ format: 'png', width: 512, height: 512 })
  expect(await readCode(png)).toBe(shortUrl)

  await dialog.getByRole('button', { name: 'PDF' }).click()
  await dialog.getByLabel('Size').selectOption({ label: '30 mm' })
  const pdf = await contentOf(await download(page, dialog.getByRole('button', { name: 'Download PDF' })))
  const [printed] = pagesOf(pdf)
  expect(printed?.width).toBeCloseTo(85.04, 1)
  expect(await readCode(printed?.svg ?? Buffer.alloc(0))).toBe(shortUrl)
  await expectClean(page)

  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(opener).toBeFocused()
})

test('its style says in a line what it is, warns of what some phones cannot read, and is there the next time', async ({
  front,
  page,
}) => {
  const shortUrl = await front.make('https://example.com/')
  const open = async () => {
    await front.result.getByRole('button', { name: 'QR code' }).click()
    await expect(front.dialog.getByRole('img', { name: 'QR code for' })).toBeVisible()
  }
  await open()
  const { dialog } = front
  const style = dialog.getByText('Style', { exact: true })
  await expect(dialog.getByLabel('Code color')).toBeHidden()
  await style.click()
  await choose(dialog, 'Code color', '#0a5c36')
  await choose(dialog, 'Background', '#fff4d6')
  await dialog.getByLabel('Error correction').selectOption('H')
  await dialog.getByLabel('Margin').selectOption({ label: '6 squares' })
  await expect(dialog.getByRole('status')).toHaveText('')
  await expect(dialog.getByText('#0a5c36 · #fff4d6 · margin 6 · Level H')).toBeVisible()
  expect(await shown(dialog)).toBe(shortUrl)

  await choose(dialog, 'Background', '#1f6b47')
  await expect(dialog.getByRole('status')).toContainText('little contrast')
  await expectClean(page)
  await choose(dialog, 'Background', '#0a5c36')
  await expect(dialog.getByRole('status')).toContainText('same color')
  await expect(dialog.getByRole('button', { name: 'Download' })).toBeDisabled()
  await choose(dialog, 'Code color', '#ffffff')
  await expect(dialog.getByRole('status')).toContainText('lighter than its background')
  await choose(dialog, 'Code color', '#222266')
  await dialog.getByLabel('Transparent').check()
  await dialog.getByLabel('Margin').selectOption({ label: '1 square', exact: true } as { label: string })
  await expect(dialog.getByRole('status')).toContainText('margin is narrow')
  await dialog.getByLabel('Logo', { exact: true }).selectOption({ label: 'Logo of this site' })
  await expect(dialog.getByText('Logo of this site').first()).toBeVisible()
  await expect.poll(() => dialog.getByRole('img', { name: 'QR code for' }).getAttribute('src')).toContain('image%2Fpng')
  expect(await shown(dialog)).toBe(shortUrl)
  // Nobody without an account has a logo of their own.
  await expect(dialog.getByLabel('Logo', { exact: true }).getByRole('option')).toHaveText(['No logo', 'Logo of this site'])

  await page.reload()
  await front.untilAlive()
  await front.row(shortUrl).getByRole('button', { name: 'QR code for' }).click()
  await expect(dialog.getByText('#222266 · Transparent · margin 1 · Level H · Logo of this site')).toBeVisible()
})

test('an account uploads a logo, and is told why one is refused', async ({ page }) => {
  await signUp(page)
  const { shortUrl } = await makeOwn(page, { url: 'https://example.com/' })
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'More actions for' }).first().click()
  await page.getByRole('menuitem', { name: 'QR code' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Style', { exact: true }).click()
  await dialog.getByLabel('Logo', { exact: true }).selectOption({ label: 'Your logo' })
  const input = dialog.locator('input[type=file]')
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
  await input.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: svg })
  await expect(dialog.getByText('An SVG can hold scripts')).toBeVisible()
  await expectClean(page)
  await input.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.alloc(600 * 1024) })
  await expect(dialog.getByText('This file is too large')).toBeVisible()
  const buffer = await sharp({ create: { width: 90, height: 60, channels: 3, background: '#d0021b' } })
    .png()
    .toBuffer()
  await input.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer })
  await expect(dialog.getByRole('img', { name: 'Your logo' })).toBeVisible()
  await expect(dialog.getByText('This file is too large')).toHaveCount(0)
  expect(await shown(dialog)).toBe(shortUrl)
  await expectClean(page)
  await dialog.getByRole('button', { name: 'PDF' }).click()
  const pdf = await contentOf(await download(page, dialog.getByRole('button', { name: 'Download PDF' })))
  expect(await readCode(pagesOf(pdf)[0]?.svg ?? Buffer.alloc(0))).toBe(shortUrl)
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect(dialog.getByLabel('Logo', { exact: true })).toHaveValue('none')
})

test('an account gets the QR code of a new link without scripts, too', async ({ browser }) => {
  const page = await withoutScripts(browser)
  await signUp(page)
  await page.goto('/')
  await page.getByLabel('URL to shorten').fill('example.com/plain')
  await page.getByRole('button', { name: 'Shorten' }).click()
  const result = page.getByRole('region', { name: 'Your short link' })
  const shortUrl = await result.getByLabel('Short link', { exact: true }).inputValue()
  await expectCleanCopy(page, browser)
  const file = await download(page, result.getByRole('link', { name: 'QR code (PNG)' }))
  expect(file.suggestedFilename()).toMatch(/^qr-\w+\.png$/)
  expect(await readCode(await contentOf(file))).toBe(shortUrl)
  await page.context().close()
})

test('selected links, and those of a series, become a sheet to print', async ({ page }) => {
  await signUp(page)
  const codes = [uniqueCode('sheet'), uniqueCode('sheet'), uniqueCode('sheet')]
  for (const code of codes) await makeOwn(page, { url: 'https://example.com/', code })
  await page.goto('/dashboard')
  await page.getByRole('checkbox', { name: 'Select all' }).check()
  await page.getByRole('region', { name: 'Selected links' }).getByRole('button', { name: 'QR codes' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Rows').fill('40')
  await dialog.getByRole('button', { name: 'Download PDF' }).click()
  await expect(dialog.getByLabel('Rows')).toHaveAttribute('aria-invalid', 'true')
  await expect(dialog.getByLabel('Rows')).toBeFocused()
  await dialog.getByLabel('Rows').fill('4')
  await dialog.getByLabel('Columns').fill('3')
  await dialog.getByLabel('Caption').selectOption({ label: 'Back-half' })
  await dialog.getByRole('switch', { name: 'Cut marks' }).check()
  await expectClean(page)
  const sheet = await contentOf(await download(page, dialog.getByRole('button', { name: 'Download PDF' })))
  const [first] = pagesOf(sheet)
  expect(new Set(await readCodes(first?.svg ?? Buffer.alloc(0), { pixels: 2_000 }))).toEqual(
    new Set(codes.map((code) => `${BASE_URL}/${code}`)),
  )
  expect(first?.texts.sort()).toEqual([...codes].sort())
  await expect(dialog).toHaveCount(0)

  const series = { name: 'tables', kind: 'cycle', max: 50, format: { prefix: `${uniqueCode('q')}-`.slice(-18) } }
  expect((await page.request.post('/api/v1/series', { headers: { Origin: BASE_URL }, data: series })).status()).toBe(201)
  await page.goto('/dashboard/series')
  await page.getByRole('button', { name: 'QR codes of tables' }).click()
  await dialog.getByRole('button', { name: 'Download PDF' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Create links from it first')
  const begun = await page.request.post('/api/v1/series/tables/links', {
    headers: { Origin: BASE_URL },
    data: { count: 4, url: 'https://example.com/{number}' },
  })
  const { number } = await begun.json()
  await expect
    .poll(async () => (await (await page.request.get(`/api/v1/jobs/${number}`)).json()).state, { timeout: 15_000 })
    .toBe('done')
  const tables = await contentOf(await download(page, dialog.getByRole('button', { name: 'Download PDF' })))
  expect(await readCodes(pagesOf(tables)[0]?.svg ?? Buffer.alloc(0), { pixels: 2_000 })).toHaveLength(4)
})

test('an admin has a domain give out the QR codes of its links', async ({ page, makeLink }) => {
  const { code, shortUrl } = await makeLink({ url: 'https://example.com/' })
  expect((await page.request.get(`/${code}.qr`)).status()).toBe(404)
  const admin = new AdminPage(page)
  await admin.signIn()
  await admin.open('domains')
  await page.getByRole('button', { name: 'Turn on public QR codes of' }).first().click()
  await expect(page.getByText('Anyone can get them at /….qr')).toBeVisible()
  await expectClean(page)
  const answer = await page.request.get(`/${code}.qr`)
  expect(answer.headers()).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=300' })
  expect(await readCode(await answer.body())).toBe(shortUrl)
  await page.getByRole('button', { name: 'Turn off public QR codes of' }).first().click()
  await expect(page.getByText('Only for owners of links').first()).toBeVisible()
  await expect.poll(async () => (await page.request.get(`/${code}.qr`)).status()).toBe(404)
})
