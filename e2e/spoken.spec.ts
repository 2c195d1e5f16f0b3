import { makeOwn } from './support/account'
import { expectClean } from './support/clean'
import { BASE_URL } from './support/settings'
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
  await page.route('**/api/v1/spoken', async (route) => {
    const response = await route.fetch()
    await route.fulfill({
      response,
      json: { ...(await response.json()), expiresAt: new Date(Date.now() + 61_000).toISOString() },
    })
  })
  await page.getByRole('button', { name: 'Get a spoken number' }).click()
  await page.getByLabel('Destination', { exact: true }).fill('https://example.com/')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('timer')).toHaveText(/minute|seconds/)
  await page.clock.runFor(90_000)
  await expect(page.getByText('This number has expired.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Your spoken number' }).getByRole('button', { name: /^Copy/ })).toHaveCount(0)
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

test('a number is kept in this browser like any link, and can be edited, deleted and restored', async ({
  front,
  page,
  destination,
  request,
}) => {
  await page.getByRole('button', { name: 'Get a spoken number' }).click()
  await page.getByLabel('Destination', { exact: true }).fill(`${destination}/first`)
  await page.getByRole('button', { name: 'Get number' }).click()
  const card = page.getByRole('region', { name: 'Your spoken number' })
  await card.getByRole('button', { name: /^Copy/ }).click()
  const shortUrl = await front.clipboard()
  const row = front.row(shortUrl)
  await expect(row.getByText('Spoken number')).toBeVisible()
  await expect(row).toContainText('/first')
  await expectClean(page)

  await row.getByRole('button', { name: /^Edit/ }).click()
  await expect(front.dialog.getByLabel('Expires')).not.toBeEditable()
  await front.dialog.getByLabel('Destination').fill(`${destination}/second`)
  await front.dialog.getByRole('button', { name: 'Save' }).click()
  await expect(row).toContainText('/second')
  await row.getByRole('button', { name: /^Delete/ }).click()
  await expect(row).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row).toHaveCount(1)
  const answer = await request.get(shortUrl, { maxRedirects: 0 })
  expect(answer.headers().location).toBe(`${destination}/second`)
})

test('an account finds its numbers among its links', async ({ dashboard, page }) => {
  await makeOwn(page, { url: 'https://example.com/read' })
  const data = { url: 'https://example.com/aloud' }
  const told = await page.request.post('/api/v1/spoken', { headers: { Origin: BASE_URL }, data })
  const { digits } = await told.json()
  await dashboard.open()
  await expect(dashboard.rows).toHaveCount(2)
  await page.getByRole('button', { name: 'Filters', exact: true }).click()
  await dashboard.dialog.getByLabel('Kind').selectOption('Spoken numbers')
  await dashboard.dialog.getByRole('button', { name: 'Apply filters' }).click()
  await expect(dashboard.rows).toHaveCount(1)
  await expect(dashboard.row(digits)).toContainText('example.com/aloud')
  await expect(dashboard.row(digits)).toContainText('Spoken number')
  await expect(dashboard.row(digits)).toContainText(/Until \d/)
  await expectClean(page)
  await page.getByRole('button', { name: 'Remove filter: Spoken numbers' }).click()
  await expect(dashboard.rows).toHaveCount(2)
  await dashboard.search.fill(digits)
  await expect(dashboard.rows).toHaveCount(1)
})

test('a signed-in person gets one from the list of links, by the dialog and by ⌘K', async ({
  dashboard,
  page,
  destination,
  request,
}) => {
  await dashboard.open()
  await page.getByRole('button', { name: 'Create link' }).first().click()
  await dashboard.dialog.getByLabel('URL to shorten').fill(`${destination}/aloud`)
  await dashboard.dialog.getByRole('button', { name: 'Get a spoken number' }).click()
  await expect(dashboard.dialog).toHaveAccessibleName('Get a spoken number')
  await expect(dashboard.dialog.getByLabel('Destination')).toHaveValue(`${destination}/aloud`)
  await expectClean(page)
  await page.keyboard.press('Enter')
  const copy = dashboard.dialog.getByRole('button', { name: /^Copy/ })
  await expect(copy).toBeFocused()
  await expectClean(page)
  await copy.press('Enter')
  const shortUrl = await page.evaluate(() => navigator.clipboard.readText())
  const answer = await request.get(shortUrl, { maxRedirects: 0 })
  expect(answer.headers().location).toBe(`${destination}/aloud`)
  await page.keyboard.press('Escape')
  // In the list at once, and nothing is left of what was typed.
  await expect(dashboard.row(shortUrl.slice(-4))).toHaveCount(1)

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search and commands' }).fill('aloud')
  await page.keyboard.press('Enter')
  await expect(dashboard.dialog).toHaveAccessibleName('Get a spoken number')
  await expect(dashboard.dialog.getByLabel('Destination')).toBeFocused()
  await dashboard.dialog.getByRole('button', { name: 'Create a short link instead' }).click()
  await expect(dashboard.dialog.getByLabel('URL to shorten')).toHaveValue('')
})
