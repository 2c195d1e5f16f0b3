import { expectClean, PHONE } from './support/clean'
import { expect, test } from './support/test'

test.describe('everyone can use', () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  test('the form, empty and with its options and errors', async ({ front, page }) => {
    await expectClean(page)
    await front.openOptions()
    await front.code.fill('admin')
    await front.url.fill('not an address')
    await front.shorten.click()
    await expect(front.url).toHaveAttribute('aria-invalid', 'true')
    await expectClean(page)
  })

  test('a message about the whole request', async ({ front, page }) => {
    await page.route('**/api/v1/links', (route) => route.abort())
    await front.url.fill('https://example.com/')
    await front.shorten.click()
    await expect(page.getByRole('alert').filter({ hasText: 'Can’t reach the server' })).toBeVisible()
    await expectClean(page)
  })

  test('the result, the QR code, the list, the edit form and a toast', async ({ front, page }) => {
    await front.openOptions()
    await front.password.fill('secret')
    await page.getByRole('button', { name: '7 days' }).click()
    const shortUrl = await front.make(`https://example.com/${'long/'.repeat(60)}?${'x'.repeat(300)}`)
    await expectClean(page)

    await front.result.getByRole('button', { name: 'QR code' }).click()
    await expect(front.dialog.getByRole('img')).toBeVisible()
    await expectClean(page)
    await page.keyboard.press('Escape')

    await front.row(shortUrl).getByRole('button', { name: /^Edit/ }).click()
    await front.dialog.getByLabel('Destination').fill('nonsense')
    await front.dialog.getByRole('switch', { name: 'Turned on' }).click()
    await front.dialog.getByRole('button', { name: 'Save' }).click()
    await expect(front.dialog.getByLabel('Destination')).toHaveAttribute('aria-invalid', 'true')
    await expectClean(page)
    await front.dialog.getByLabel('Destination').fill('https://example.com/')
    await front.dialog.getByRole('button', { name: 'Save' }).click()
    await expect(front.row(shortUrl)).toContainText('Turned off')
    await expectClean(page)

    await front
      .row(shortUrl)
      .getByRole('button', { name: /^Delete/ })
      .click()
    await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
    await expectClean(page)
  })

  test('a link that was lost', async ({ front, page }) => {
    await page.evaluate((origin) => {
      const link = { domain: 'localhost', url: 'https://example.com/', manageToken: 't' }
      const links = ['gone', 'refused'].map((lost) => ({ ...link, code: lost, shortUrl: `${origin}/${lost}`, lost }))
      localStorage.setItem('terse:links', JSON.stringify(links))
    }, new URL(page.url()).origin)
    await page.reload()
    await expect(front.rows).toHaveCount(2)
    await expectClean(page)
  })

  test('the API page', async ({ page }) => {
    await page.goto('/docs')
    await expectClean(page, { oneOfEachLook: true, noPhone: true })
  })

  test('the API page on a phone', async ({ page }) => {
    await page.setViewportSize(PHONE)
    await page.goto('/docs')
    await expectClean(page, { oneOfEachLook: true })
  })

  test('the pages of links', async ({ page, makeLink }) => {
    await page.goto('/no-such-link')
    await expectClean(page)
    const { shortUrl } = await makeLink({ url: 'https://example.com/', password: 'secret' })
    await page.goto(shortUrl)
    await expectClean(page)
    await page.getByLabel('Password').fill('wrong')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toBeVisible()
    await expectClean(page)
    const plain = await makeLink({ url: `https://example.com/${'long'.repeat(100)}` })
    await page.goto(`${plain.shortUrl}+`)
    await expectClean(page)
  })
})
