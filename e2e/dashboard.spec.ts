import { makeOwn } from './support/account'
import { expect, test, uniqueCode } from './support/test'

test('who is not signed in is sent to sign in first', async ({ page }) => {
  const answer = await page.request.get('/dashboard', { maxRedirects: 0 })
  expect(answer.status()).toBe(307)
  expect(answer.headers().location).toContain('/sign-in?next=%2Fdashboard')
  // What was asked for there is asked for again after signing in.
  const asked = await page.request.get('/dashboard?create', { maxRedirects: 0 })
  expect(asked.headers().location).toContain(`/sign-in?next=${encodeURIComponent('/dashboard?create=')}`)
})

test('an empty list says what to do, and the first link is made right there', async ({ dashboard, page, destination }) => {
  await dashboard.open()
  await page.getByRole('button', { name: 'Create link' }).last().click()
  await dashboard.dialog.getByLabel('URL to shorten').fill(`${destination}/first`)
  await page.keyboard.press('Enter')
  await expect(dashboard.dialog.getByRole('button', { name: /^Copy/ })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(dashboard.rows).toHaveCount(1)
  await expect(dashboard.rows.first()).toContainText('/first')
})

test('links are found by code, title and destination, and the address keeps the view', async ({ dashboard, page }) => {
  const [sale, book, other] = [uniqueCode('sale'), uniqueCode('book'), uniqueCode('other')]
  await makeOwn(page, { url: 'https://example.com/one', code: sale })
  await makeOwn(page, { url: 'https://example.com/two', code: book, title: 'Handbook of everything' })
  await makeOwn(page, { url: 'https://wonderland.example/three', code: other })
  await dashboard.open()
  await expect(dashboard.rows).toHaveCount(3)
  for (const [words, code] of [
    ['ndboo', book],
    [sale, sale],
    ['handb', book],
    ['wonderland', other],
  ] as const) {
    await dashboard.search.fill(words)
    await expect.poll(() => dashboard.codes()).toEqual([code])
  }
  await expect(page).toHaveURL(/\?q=wonderland$/)
  await page.reload()
  await expect(dashboard.search).toHaveValue('wonderland')
  await expect(dashboard.rows).toHaveCount(1)
  await page.goBack()
  await expect(dashboard.search).toHaveValue('handb')
  await expect(dashboard.row(book)).toBeVisible()

  await dashboard.search.fill('nothing-is-called-this')
  await expect(page.getByText('No links match')).toBeVisible()
  await page.getByRole('button', { name: 'Show all links' }).click()
  await expect(dashboard.rows).toHaveCount(3)
})

test('the list follows the address while the server still prepares the page', async ({ dashboard, page }) => {
  const [one, two] = [uniqueCode('one'), uniqueCode('two')]
  await makeOwn(page, { url: 'https://example.com/one', code: one })
  await makeOwn(page, { url: 'https://example.com/two', code: two })
  await dashboard.open()
  for (const code of [one, two]) {
    await dashboard.search.fill(code)
    await expect.poll(() => dashboard.codes()).toEqual([code])
  }
  await page.reload()
  await expect.poll(() => dashboard.codes()).toEqual([two])
  // After a reload a step back asks the server for the page, which takes its time.
  await page.route('**/dashboard?*_rsc=*', () => {})
  await page.goBack()
  await expect.poll(() => dashboard.codes()).toEqual([one])
  await dashboard.search.fill('nothing-is-called-this')
  await expect(page.getByText('No links match')).toBeVisible()
})

test('filters narrow the list by state, day and clicks, and come off one by one', async ({ dashboard, page }) => {
  const [plain, off] = [uniqueCode('plain'), uniqueCode('off')]
  await makeOwn(page, { url: 'https://example.com/plain', code: plain })
  await makeOwn(page, { url: 'https://example.com/off', code: off })
  await dashboard.open()
  await dashboard.choose(off, 'Turn off')
  await expect(dashboard.row(off)).toContainText('Turned off')
  await dashboard.state.selectOption('disabled')
  await expect(dashboard.rows).toHaveCount(1)
  expect(await dashboard.codes()).toEqual([off])
  await dashboard.state.selectOption('active')
  await expect(dashboard.row(plain)).toBeVisible()
  await expect(dashboard.rows).toHaveCount(1)

  await page.getByRole('button', { name: 'Filters', exact: true }).click()
  await dashboard.dialog.getByLabel('Minimum clicks').fill('5')
  await dashboard.dialog.getByLabel('Maximum clicks').fill('3')
  await page.keyboard.press('Enter')
  await expect(dashboard.dialog.getByLabel('Maximum clicks')).toBeFocused()
  await dashboard.dialog.getByLabel('Maximum clicks').fill('1000')
  await dashboard.dialog.getByLabel('Created until').fill('2001-02-03')
  await page.keyboard.press('Enter')
  await expect(page.getByText('No links match')).toBeVisible()
  await page.getByRole('button', { name: 'Remove filter: Created until 3 Feb 2001' }).click()
  await expect(page).toHaveURL(/\?state=active&minClicks=5&maxClicks=1000$/)
  await page.getByRole('button', { name: 'Remove filter: 5 to 1,000 clicks' }).click()
  await expect(dashboard.rows).toHaveCount(1)
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(dashboard.rows).toHaveCount(2)
})

test('a list is sorted by its titles, and turned over page by page', async ({ dashboard, page }) => {
  const codes = Array.from({ length: 27 }, () => uniqueCode('page'))
  for (const code of codes) await makeOwn(page, { url: 'https://example.com/', code })
  await dashboard.open()
  const created = page.getByRole('columnheader', { name: 'Created' })
  const newest = codes.toReversed()
  await expect(created).toHaveAttribute('aria-sort', 'descending')
  expect(await dashboard.codes()).toEqual(newest.slice(0, 25))
  await page.getByRole('button', { name: 'Next' }).press('Enter')
  await expect(dashboard.rows).toHaveCount(2)
  expect(await dashboard.codes()).toEqual(newest.slice(25))
  await expect(dashboard.rows.first()).toBeFocused()
  await expect(page.getByRole('button', { name: 'Next' })).toBeDisabled()
  await page.getByRole('button', { name: 'Previous' }).click()
  await expect(dashboard.rows).toHaveCount(25)
  await page.goBack()
  await expect(dashboard.rows).toHaveCount(2)

  await created.getByRole('button').click()
  await expect(created).toHaveAttribute('aria-sort', 'ascending')
  await expect(dashboard.rows).toHaveCount(25)
  await expect.poll(() => dashboard.codes()).toEqual(codes.slice(0, 25))
})

test('a page that comes back short goes on by itself', async ({ dashboard, page }) => {
  const code = uniqueCode('far')
  await makeOwn(page, { url: 'https://example.com/', code })
  let asked = 0
  await page.route('**/api/v1/links?*', async (route) => {
    asked += 1
    if (asked > 3) return route.continue()
    await route.fulfill({ json: { links: [], nextCursor: String(2n ** 62n - BigInt(asked)) } })
  })
  await dashboard.open('?q=far')
  await expect(dashboard.row(code)).toBeVisible()
  expect(asked).toBeGreaterThan(3)
})

test('a link’s statistics open without a key', async ({ dashboard, page }) => {
  const code = uniqueCode('stats')
  await makeOwn(page, { url: 'https://example.com/', code })
  await dashboard.open()
  await dashboard.choose(code, 'Statistics')
  await expect(page.getByText('No clicks yet')).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/stats/${code}$`))
})

test('the statistics of others ask for a key', async ({ dashboard, page, playwright, baseURL }) => {
  const stranger = await playwright.request.newContext({ baseURL: baseURL ?? '' })
  const { code } = (await (await stranger.post('/api/v1/links', { data: { url: 'https://example.com/' } })).json()) as {
    code: string
  }
  await stranger.dispose()
  await dashboard.page.goto(`/stats/${code}`)
  await expect(page.getByText('Enter the link’s manage token to see its statistics')).toBeVisible()
})

test('a deleted link comes back by Undo, and from the list of deleted links', async ({ dashboard, page, statusOf }) => {
  const code = uniqueCode('gone')
  const { shortUrl } = await makeOwn(page, { url: 'https://example.com/', code })
  await dashboard.open()
  await dashboard.choose(code, 'Delete')
  await expect(dashboard.row(code)).toHaveCount(0)
  await expect(dashboard.title).toBeFocused()
  await expect.poll(() => statusOf(shortUrl)).toBe(410)
  // A press on a toast is no press beside the dialog.
  await page.keyboard.press('c')
  await expect(dashboard.dialog).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(/^Restored /)).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByText(/^Restored /)).toHaveCount(0)
  await expect(dashboard.dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dashboard.row(code)).toBeVisible()
  await expect.poll(() => statusOf(shortUrl)).toBe(302)

  await dashboard.choose(code, 'Delete')
  await expect(dashboard.row(code)).toHaveCount(0)
  await dashboard.state.selectOption('deleted')
  await expect(dashboard.title).toHaveText('Deleted links')
  await dashboard
    .row(code)
    .getByRole('button', { name: /^Restore/ })
    .click()
  await expect(page.getByText('No deleted links')).toBeVisible()
  await page.getByRole('button', { name: 'Show all links' }).click()
  await expect(dashboard.row(code)).toBeVisible()
  await expect.poll(() => statusOf(shortUrl)).toBe(302)
})

test('a list that cannot be read says so, and can be asked for again', async ({ dashboard, page }) => {
  await page.route('**/api/v1/links?*', (route) => route.abort())
  await page.goto('/dashboard')
  await expect(page.getByRole('alert').filter({ hasText: 'Can’t reach the server' })).toBeVisible()
  await page.unroute('**/api/v1/links?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('No links yet')).toBeVisible()
  await expect(dashboard.rows).toHaveCount(0)
})
