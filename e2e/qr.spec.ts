import { readFile } from 'node:fs/promises'
import type { Download, Page } from '@playwright/test'
import { create, toString as toText } from 'qrcode'
import { expect, test } from './support/test'

const MARGIN = 4

/** The modules of the QR code of `text`, row by row. */
function modulesOf(text: string): boolean[][] {
  const { modules } = create(text, { errorCorrectionLevel: 'M' })
  const indexes = Array.from({ length: modules.size }, (_, index) => index)
  return indexes.map((row) => indexes.map((column) => Boolean(modules.get(row, column))))
}

test('the QR code holds the short link, on the screen and in both downloads', async ({ front, page }) => {
  const shortUrl = await front.make('https://example.com/')
  const opener = front.result.getByRole('button', { name: 'QR code' })
  await opener.click()
  const expected = modulesOf(shortUrl)

  const path = await front.dialog
    .getByRole('img', { name: `QR code for ${shortUrl}` })
    .locator('path')
    .getAttribute('d')
  const drawn = expected.map((row) => row.map(() => false))
  for (const [, x, y] of (path ?? '').matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    const row = drawn[Number(y) - MARGIN]
    if (row) row[Number(x) - MARGIN] = true
  }
  expect(drawn).toEqual(expected)

  const svg = await download(page, 'SVG')
  expect(svg.suggestedFilename()).toMatch(/^qr-\w+\.svg$/)
  expect(await contentOf(svg)).toEqual(
    Buffer.from(await toText(shortUrl, { type: 'svg', errorCorrectionLevel: 'M', margin: MARGIN })),
  )

  const png = await download(page, 'PNG')
  expect(png.suggestedFilename()).toMatch(/^qr-\w+\.png$/)
  expect(await darkModules(page, await contentOf(png), expected.length)).toEqual(expected)

  await page.keyboard.press('Escape')
  await expect(front.dialog).toBeHidden()
  await expect(opener).toBeFocused()
})

async function download(page: Page, kind: string): Promise<Download> {
  const started = page.waitForEvent('download')
  await page.getByRole('button', { name: `Download ${kind}` }).click()
  return await started
}

async function contentOf(download: Download): Promise<Buffer> {
  return await readFile(await download.path())
}

/** Looks at the middle of each module of a picture. */
function darkModules(page: Page, png: Buffer, size: number): Promise<boolean[][]> {
  return page.evaluate(
    async ({ base64, size, margin }) => {
      const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
      const context = new OffscreenCanvas(image.width, image.height).getContext('2d')
      if (!context) throw new Error('no canvas')
      context.drawImage(image, 0, 0)
      const scale = image.width / (size + 2 * margin)
      const dark = (row: number, column: number) => {
        const at = (index: number) => Math.floor((index + margin + 0.5) * scale)
        return (context.getImageData(at(column), at(row), 1, 1).data[0] ?? 255) < 128
      }
      return Array.from({ length: size }, (_, row) => Array.from({ length: size }, (_, column) => dark(row, column)))
    },
    { base64: png.toString('base64'), size, margin: MARGIN },
  )
}
