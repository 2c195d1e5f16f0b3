import { BASE_URL } from './support/settings'
import { expect, test, uniqueCode } from './support/test'

test('a custom code is taken as it was typed', async ({ front, page, destination }) => {
  const code = uniqueCode('Größe')
  await front.openOptions()
  await front.code.fill(code)
  expect(decodeURI(await front.make(`${destination}/custom`))).toBe(`${BASE_URL}/${code}`)
  await page.goto(`/${code}`)
  await expect(page).toHaveURL(`${destination}/custom`)
})

test('a code that is taken is said beside its field, and the rest stays', async ({ front, makeLink }) => {
  const code = uniqueCode('taken')
  await makeLink({ url: 'https://example.com/', code })
  await front.openOptions()
  await front.code.fill(code)
  await front.url.fill('https://example.com/other')
  await front.shorten.click()
  await expect(await front.errorOf(front.code)).not.toBeEmpty()
  await expect(front.code).toBeFocused()
  await expect(front.url).toHaveValue('https://example.com/other')
  await expect(front.url).not.toHaveAttribute('aria-invalid')

  await front.code.fill(`${code}-2`)
  await front.shorten.click()
  expect(await front.shortUrl()).toBe(`${BASE_URL}/${code}-2`)
})

test('a code that cannot be is said while it is typed', async ({ front }) => {
  await front.openOptions()
  for (const [code, message] of [
    [
      'a b',
      "This has a space or another character that short links can’t have. Use letters, digits, emoji, or any of -._~!$&'()*+,;=:@.",
    ],
    ['admin', 'This word is reserved on this domain. Choose another.'],
    [
      '12345',
      'Numbers of up to six digits are reserved for spoken numbers on this domain. Add a letter, or ask an admin to free them for links.',
    ],
  ] as const) {
    await front.code.fill(code)
    await expect(await front.errorOf(front.code)).toHaveText(message)
  }
  await front.code.fill('fine')
  await expect(front.code).not.toHaveAttribute('aria-invalid')
})

test('a link with a password opens only by it', async ({ front, page, destination, statusOf }) => {
  await front.openOptions()
  await front.password.fill('open sesame')
  const shortUrl = await front.make(`${destination}/secret`)
  await expect(front.result).toContainText('Needs a password')
  await expect(front.row(shortUrl)).toContainText('Password')
  expect(await statusOf(shortUrl)).toBe(200)

  await page.goto(shortUrl)
  await page.getByLabel('Password').fill('wrong')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toBeVisible()
  await expect(page).toHaveURL(shortUrl)

  await page.getByLabel('Password').fill('open sesame')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${destination}/secret`)
})

test('an expiry is chosen by a preset and sent in UTC', async ({ front, page }) => {
  await page.clock.setFixedTime('2031-03-29T12:34:00Z')
  await front.openOptions()
  await page.getByRole('button', { name: '1 day' }).click()
  // Berlin, in the night that summer time begins.
  await expect(front.expires).toHaveValue('2031-03-30T14:34')
  const sent = page.waitForRequest('**/api/v1/links')
  await front.make('https://example.com/')
  expect((await sent).postDataJSON()).toEqual({ url: 'https://example.com/', expiresAt: '2031-03-30T12:34:00.000Z' })
  await expect(front.result).toContainText('Expires 30 Mar 2031, 14:34')
})

test('an expiry in the past is refused beside its field', async ({ front }) => {
  await front.openOptions()
  await front.expires.fill('2020-01-01T00:00')
  await front.url.fill('https://example.com/')
  await front.shorten.click()
  await expect(await front.errorOf(front.expires)).toHaveText('Choose a time in the future.')
  await expect(front.expires).toBeFocused()
})
