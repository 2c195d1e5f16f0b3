import { signUp } from './support/account'
import { expect, test } from './support/test'

test('anyone can report a link, from its preview, and gets a reference to keep', async ({ page, makeLink }) => {
  const { shortUrl } = await makeLink({ url: 'https://example.com/' })
  await page.goto(`${shortUrl}+`)
  await page.getByRole('link', { name: 'Report this link' }).click()
  await expect(page.getByLabel('Short link')).toHaveValue(shortUrl)
  await page.getByRole('radio', { name: /^Phishing/ }).check()
  await page.getByLabel('Details').fill('It asks for my bank’s password.')
  await page.getByLabel('Your email').fill('reader@example.com')
  const sent = page.waitForRequest((request) => request.method() === 'POST')
  await page.getByRole('button', { name: 'Send report' }).click()
  expect((await sent).postDataJSON()).toEqual({
    shortUrl,
    reason: 'phishing',
    details: 'It asks for my bank’s password.',
    email: 'reader@example.com',
  })
  const receipt = page.getByRole('region', { name: 'Thanks. We’ve received your report.' })
  await expect(receipt.getByRole('heading')).toBeFocused()
  const reference = (await receipt.getByText(/^\d+$/).textContent()) ?? ''
  // The day, and five digits or six.
  expect(reference).toMatch(/^\d{6}[1-9]\d{4,5}$/)
  await receipt.getByRole('button', { name: /^Copy/ }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(reference)
})

test('what is missing or wrong in a report is said beside its field', async ({ page }) => {
  await page.goto('/report')
  await page.getByLabel('Your email').fill('not an address')
  await page.getByRole('button', { name: 'Send report' }).click()
  await expect(page.getByText('Enter a short link.')).toBeVisible()
  await expect(page.getByText('Choose a reason.')).toBeVisible()
  await expect(page.getByText('Enter an email address, or leave this empty.')).toBeVisible()
  await expect(page.getByLabel('Short link')).toBeFocused()
  await page.getByLabel('Short link').fill('no-such-link-here')
  await page.getByRole('radio', { name: /^Something else/ }).check()
  await page.getByLabel('Your email').fill('')
  await page.getByRole('button', { name: 'Send report' }).click()
  await expect(page.getByLabel('Short link')).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByLabel('Short link')).toBeFocused()
})

test('every page leads to the report form', async ({ page }) => {
  await signUp(page)
  for (const path of ['/', '/docs', '/dashboard']) {
    await page.goto(path)
    await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Report a link' })).toHaveAttribute('href', '/report')
  }
})
