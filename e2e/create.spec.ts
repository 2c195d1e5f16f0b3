import { BASE_URL } from './support/settings'
import { ANY_SIZE, expect, test } from './support/test'

test('a pasted URL becomes a short link with one key press, and another copies it', async ({ front, page, destination }) => {
  await front.url.fill(`${destination}/some/page?x=1#part`)
  await page.keyboard.press('Enter')

  const copy = front.result.getByRole('button', { name: /^Copy/ })
  await expect(copy).toBeFocused()
  const shortUrl = await front.shortUrl()
  expect(shortUrl).toMatch(new RegExp(`^${BASE_URL}/[0-9A-Za-z]{7}$`))

  await page.keyboard.press('Enter')
  await expect(front.result.getByRole('button', { name: /^Copied/ })).toBeVisible()
  await expect(front.result.getByRole('status').filter({ hasText: 'Copied' })).toBeAttached()
  expect(await front.clipboard()).toBe(shortUrl)

  await page.goto(shortUrl)
  await expect(page).toHaveURL(`${destination}/some/page?x=1#part`)
  await expect(page.getByRole('heading')).toHaveText('Arrived at /some/page?x=1')
})

test('an address typed without a scheme gets https', { tag: ANY_SIZE }, async ({ front }) => {
  await front.make('example.com/page')
  await expect(front.result).toContainText('Leads to example.com/page')
  await expect(front.rows.first().getByTitle('https://example.com/page', { exact: true })).toBeVisible()
})

test('after one link the next is a key press away', async ({ front, page }) => {
  await front.make('https://example.com/first')
  await front.result.getByRole('button', { name: 'Shorten another' }).press('Enter')
  await expect(front.url).toBeFocused()
  await expect(front.url).toHaveValue('')
  await page.keyboard.type('https://example.com/second')
  await page.keyboard.press('Enter')
  await expect(front.result).toContainText('example.com/second')
  await expect(front.rows).toHaveCount(2)
  await expect(front.rows.first()).toContainText('example.com/second')
})

for (const [name, input, message] of [
  ['nothing', '', 'Paste or type a URL to shorten.'],
  ['words', 'not an address', 'Enter a whole URL, such as https://example.com/page.'],
  ['a script', 'javascript:alert(1)', 'Use a URL that begins with http:// or https://.'],
  ['a URL with a password in it', 'https://me:secret@example.com/', 'Remove the username and password from the URL.'],
] as const) {
  test(`${name} instead of a URL is refused beside the field, which keeps the cursor`, { tag: ANY_SIZE }, async ({
    front,
    page,
  }) => {
    await front.url.fill(input)
    await front.shorten.click()
    await expect(await front.errorOf(front.url)).toHaveText(message)
    await expect(front.url).toBeFocused()

    // What was wrong is forgotten once it is being put right.
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('https://example.com/')
    await expect(front.url).not.toHaveAttribute('aria-invalid')
  })
}

test('what only the server can know is shown beside the field too', async ({ front }) => {
  await front.url.fill(`${BASE_URL}/another`)
  await front.shorten.click()
  await expect(await front.errorOf(front.url)).not.toBeEmpty()
  await expect(front.url).toBeFocused()
})

test('without a connection nothing is lost, and a second try makes only one link', { tag: ANY_SIZE }, async ({ front, page }) => {
  const keys: (string | undefined)[] = []
  let answer: 'lose' | 'pass' = 'lose'
  await page.route('**/api/v1/links', async (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    if (answer === 'pass') return route.continue()
    // The server does get it: only its answer is lost on the way.
    await route.fetch()
    await route.abort('connectionreset')
  })
  await front.url.fill('https://example.com/lost')
  await front.shorten.click()
  await expect(page.getByRole('alert').filter({ hasText: 'Can’t reach the server.' })).toBeVisible()
  await expect(front.url).toHaveValue('https://example.com/lost')

  answer = 'pass'
  await front.shorten.click()
  await expect(front.result).toBeVisible()
  expect(keys).toHaveLength(2)
  expect(keys[0]).toMatch(/^(\.?[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}){2}$/)
  expect(keys[1]).toBe(keys[0])
  // Its key came with the repeated answer, so the link can be changed here.
  await expect(front.rows).toHaveCount(1)
})

for (const [status, retryAfter, message] of [
  [429, '30', 'Too many requests came from your network. Try again in 30 seconds.'],
  [503, '120', 'This can’t be saved right now. Nothing you entered is lost. Try again in 2 minutes.'],
] as const) {
  test(`an answer of ${status} is said in plain words, with when to try again`, { tag: ANY_SIZE }, async ({ front, page }) => {
    await page.route('**/api/v1/links', (route) =>
      route.fulfill({
        status,
        headers: { 'Retry-After': retryAfter, 'Content-Type': 'application/problem+json' },
        // As a proxy answers; what the API says of a limit is shown as it is.
        body:
          status === 429 ? 'Slow down' : JSON.stringify({ type: 'about:blank', title: 'No', status, detail: 'No', code: 'no' }),
      }),
    )
    await front.url.fill('https://example.com/')
    await front.shorten.click()
    await expect(page.getByRole('alert').filter({ hasText: message })).toBeVisible()
    await expect(front.url).toHaveValue('https://example.com/')
  })
}
