import { expect, test } from './support/test'

test('a URL becomes a number to read aloud, which leads there', async ({ front, page, destination, request }) => {
  await front.url.fill(`${destination}/aloud`)
  await page.getByRole('button', { name: 'Get a spoken number' }).click()
  const form = page.getByRole('form', { name: 'Get a spoken number' })
  await expect(form.getByLabel('Destination')).toHaveValue(`${destination}/aloud`)
  await form.getByRole('radio', { name: '5 digits' }).check()
  await form.getByRole('radio', { name: '10 minutes' }).check()
  await form.getByRole('button', { name: 'Get number' }).click()

  const card = page.getByRole('region', { name: 'Your spoken number' })
  await expect(card.getByRole('button', { name: /^Copy/ })).toBeFocused()
  await page.keyboard.press('Enter')
  const shortUrl = await front.clipboard()
  expect(shortUrl).toMatch(/\/\d{5}$/)
  const digits = shortUrl.slice(-5)
  await expect(card.getByText(digits.slice(0, 3), { exact: true })).toBeVisible()
  await expect(card.getByText(digits.slice(3), { exact: true })).toBeVisible()
  await expect(card.getByRole('timer')).toHaveText(/^(10|9) minutes/)
  const answer = await request.get(shortUrl, { maxRedirects: 0 })
  expect(answer.headers().location).toBe(`${destination}/aloud`)

  await card.getByRole('button', { name: 'Get another number' }).click()
  await expect(form.getByLabel('Destination')).toHaveValue('')
  await form.getByLabel('Destination').fill('not an address')
  await page.keyboard.press('Enter')
  await expect(form.getByLabel('Destination')).toBeFocused()
  await expect(form.getByLabel('Destination')).toHaveAttribute('aria-invalid', 'true')
  await form.getByLabel('Destination').fill('example.com/kept')
  await form.getByRole('button', { name: 'Create a short link instead' }).click()
  await expect(front.url).toBeFocused()
})

test('a number counts down to its end and then says so', async ({ front, page }) => {
  await page.clock.install()
  await page.route('**/api/v1/spoken', (route) =>
    route.fulfill({
      json: { digits: '4821', shortUrl: 'http://localhost/4821', expiresAt: new Date(Date.now() + 61_000).toISOString() },
    }),
  )
  await page.getByRole('button', { name: 'Get a spoken number' }).click()
  await page.getByLabel('Destination', { exact: true }).fill('https://example.com/')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('timer')).toHaveText(/minute|seconds/)
  await page.clock.runFor(90_000)
  await expect(page.getByText('This number has expired.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Copy/ })).toHaveCount(0)
  expect(front.page).toBe(page)
})

test('when all numbers are taken, it says when one frees', async ({ front, page }) => {
  await page.route('**/api/v1/spoken', (route) =>
    route.fulfill({
      status: 503,
      headers: { 'Retry-After': '240', 'Content-Type': 'application/problem+json' },
      json: { status: 503, code: 'unavailable', detail: 'All numbers of 4 digits are in use.' },
    }),
  )
  await front.page.getByRole('button', { name: 'Get a spoken number' }).click()
  await page.getByLabel('Destination', { exact: true }).fill('https://example.com/')
  await page.keyboard.press('Enter')
  await expect(page.getByText('All numbers of 4 digits are in use. Try again in 4 minutes.')).toBeVisible()
})
