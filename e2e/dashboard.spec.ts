import { makeOwn, signUp } from './support/account'
import { DashboardPage } from './support/dashboard-page'
import { test as base, expect, uniqueCode } from './support/test'

const test = base.extend<{ dashboard: DashboardPage }>({
  /** The dashboard of a new account, not opened yet. */
  dashboard: async ({ page }, use) => {
    await signUp(page)
    await use(new DashboardPage(page))
  },
})

test('who is not signed in is sent to sign in first', async ({ page }) => {
  const answer = await page.request.get('/dashboard', { maxRedirects: 0 })
  expect(answer.status()).toBe(307)
  expect(answer.headers().location).toContain('/sign-in?next=%2Fdashboard')
})

test('an empty list says what to do, and the first link is made right there', async ({ dashboard, page, destination }) => {
  await dashboard.open()
  await page.getByRole('button', { name: 'Make a link' }).click()
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

test('filters narrow the list by state, day and clicks, and come off one by one', async ({ dashboard, page }) => {
  const [plain, off] = [uniqueCode('plain'), uniqueCode('off')]
  await makeOwn(page, { url: 'https://example.com/plain', code: plain })
  await makeOwn(page, { url: 'https://example.com/off', code: off })
  await dashboard.open()
  await dashboard.choose(off, 'Disable')
  await expect(dashboard.row(off)).toContainText('Disabled')
  await dashboard.state.selectOption('disabled')
  await expect(dashboard.rows).toHaveCount(1)
  expect(await dashboard.codes()).toEqual([off])
  await dashboard.state.selectOption('active')
  await expect(dashboard.row(plain)).toBeVisible()
  await expect(dashboard.rows).toHaveCount(1)

  await page.getByRole('button', { name: 'Filters' }).click()
  await dashboard.dialog.getByLabel('Clicks from').fill('5')
  await dashboard.dialog.getByLabel('Clicks up to').fill('3')
  await page.keyboard.press('Enter')
  await expect(dashboard.dialog.getByLabel('Clicks up to')).toBeFocused()
  await dashboard.dialog.getByLabel('Clicks up to').fill('1000')
  await dashboard.dialog.getByLabel('Made until').fill('2001-02-03')
  await page.keyboard.press('Enter')
  await expect(page.getByText('No links match')).toBeVisible()
  await page.getByRole('button', { name: 'Remove the filter Made up to 3 Feb 2001' }).click()
  await expect(page).toHaveURL(/\?state=active&minClicks=5&maxClicks=1000$/)
  await page.getByRole('button', { name: 'Remove the filter Clicks 5 to 1,000' }).click()
  await expect(dashboard.rows).toHaveCount(1)
  await page.getByRole('button', { name: 'Clear all' }).click()
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
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(dashboard.rows).toHaveCount(2)
  expect(await dashboard.codes()).toEqual(newest.slice(25))
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

test('a link is changed in the drawer, and the row shows it', async ({ dashboard, page, destination, request }) => {
  const code = uniqueCode('edit')
  const { shortUrl } = await makeOwn(page, { url: 'https://example.com/before', code })
  await dashboard.open()
  await dashboard.row(code).getByRole('button', { name: /^Edit/ }).click()
  const { dialog } = dashboard
  await expect(dialog.getByLabel('Destination')).toBeFocused()
  await dialog.getByLabel('Destination').fill(`${destination}/after`)
  await dialog.getByLabel('Title').fill('My page')
  await dialog.getByLabel('Expires', { exact: true }).fill('2000-01-02T03:04')
  await dialog.getByLabel('After it expired').fill(`${destination}/over`)
  await dialog.getByRole('switch', { name: 'Show on my public page' }).click()
  await expect(dialog.getByRole('button', { name: 'Copy manage token' })).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  const row = dashboard.row(code)
  await expect(row).toContainText('My page')
  await expect(row).toContainText('/after')
  await expect(row).toContainText('Expired')
  await expect(row).toContainText('Public')
  await expect(row.getByRole('button', { name: /^Edit/ })).toBeFocused()
  const answer = await request.get(shortUrl, { maxRedirects: 0 })
  expect(answer.headers().location).toBe(`${destination}/over`)
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
  await expect(page.getByText('These statistics need the link’s key')).toBeVisible()
})

test('a deleted link comes back by Undo, and from the list of deleted links', async ({ dashboard, page, statusOf }) => {
  const code = uniqueCode('gone')
  const { shortUrl } = await makeOwn(page, { url: 'https://example.com/', code })
  await dashboard.open()
  await dashboard.choose(code, 'Delete')
  await expect(dashboard.row(code)).toHaveCount(0)
  await expect(dashboard.title).toBeFocused()
  await expect.poll(() => statusOf(shortUrl)).toBe(410)
  await page.getByRole('button', { name: 'Undo' }).click()
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
  await expect(page.getByText('Nothing was deleted')).toBeVisible()
  await page.getByRole('button', { name: 'Show all links' }).click()
  await expect(dashboard.row(code)).toBeVisible()
  await expect.poll(() => statusOf(shortUrl)).toBe(302)
})

test('many links are deleted at once and brought back by Undo', async ({ dashboard, page, statusOf }) => {
  const codes = Array.from({ length: 5 }, () => uniqueCode('many'))
  const links: { shortUrl: string }[] = []
  for (const code of codes) links.push(await makeOwn(page, { url: 'https://example.com/', code }))
  const statuses = () => Promise.all(links.map(({ shortUrl }) => statusOf(shortUrl)))
  await dashboard.open()
  // The newest is on top: with Shift, from there to the fourth.
  await dashboard.rows.nth(0).getByRole('checkbox').click()
  await dashboard.rows
    .nth(3)
    .getByRole('checkbox')
    .click({ modifiers: ['Shift'] })
  await expect(dashboard.chosen).toContainText('4 chosen')
  await dashboard.chosen.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('4 links deleted')).toBeVisible()
  await expect(dashboard.rows).toHaveCount(1)
  await expect(dashboard.chosen).toHaveCount(0)
  await expect.poll(statuses).toEqual([302, 410, 410, 410, 410])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('4 links restored')).toBeVisible()
  await expect(dashboard.rows).toHaveCount(5)
  await expect.poll(statuses).toEqual([302, 302, 302, 302, 302])
})

test('many links are disabled, enabled and restored at once', async ({ dashboard, page }) => {
  const codes = [uniqueCode('all'), uniqueCode('all')]
  for (const code of codes) await makeOwn(page, { url: 'https://example.com/', code })
  await dashboard.open()
  const all = page.getByRole('checkbox', { name: 'Select all on this page' })
  for (const [action, badges] of [
    ['Disable', 2],
    ['Enable', 0],
  ] as const) {
    await all.check()
    await dashboard.chosen.getByRole('button', { name: action }).click()
    await expect(page.getByText(`2 links ${action.toLowerCase()}d`)).toBeVisible()
    await expect(dashboard.rows.getByText('Disabled')).toHaveCount(badges)
  }
  await all.check()
  await dashboard.chosen.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No links yet')).toBeVisible()
  await dashboard.open('?state=deleted')
  await all.check()
  await expect(dashboard.chosen.getByRole('button', { name: 'Delete' })).toHaveCount(0)
  await dashboard.chosen.getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByText('Nothing was deleted')).toBeVisible()
  await dashboard.open()
  await expect(dashboard.rows).toHaveCount(2)
})

test('what failed of a bulk action is named', async ({ dashboard, page }) => {
  const [kept, raced] = [uniqueCode('kept'), uniqueCode('raced')]
  await makeOwn(page, { url: 'https://example.com/', code: kept })
  await makeOwn(page, { url: 'https://example.com/', code: raced })
  await dashboard.open()
  await dashboard.tick(kept, raced)
  // On another device, in the meantime.
  expect((await page.request.delete(`/api/v1/links/${raced}`)).status()).toBe(204)
  await dashboard.chosen.getByRole('button', { name: 'Disable' }).click()
  const failed = page.getByRole('region', { name: 'What failed' })
  await expect(failed).toBeVisible()
  await expect(failed.getByRole('listitem')).toHaveCount(1)
  await expect(page.getByText('1 link disabled')).toBeVisible()
})

test('links are imported from a file, and what could not be made is named', async ({
  dashboard,
  page,
  destination,
  statusOf,
  baseURL,
}) => {
  await dashboard.open()
  const code = uniqueCode('import')
  await page.getByRole('button', { name: 'Import' }).click()
  await dashboard.dialog.getByRole('button', { name: 'Import' }).click()
  await expect(dashboard.dialog.getByRole('alert')).toContainText('Choose a file, or paste a list.')
  const latin = Buffer.from('url,title\nhttps://example.com/,Grüße\n', 'latin1')
  await dashboard.dialog.getByLabel('Choose a file').setInputFiles({ name: 'latin.csv', mimeType: 'text/csv', buffer: latin })
  await dashboard.dialog.getByRole('button', { name: 'Import' }).click()
  await expect(dashboard.dialog.getByRole('alert')).toContainText('This is not UTF-8.')
  const csv = `Long URL;Short code;Title\n${destination}/page;${code};A page\nnonsense;other;Not one\n`
  const file = { name: 'links.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
  await dashboard.dialog.getByLabel('Choose a file').setInputFiles(file)
  await dashboard.dialog.getByRole('button', { name: 'Import' }).click()
  const failed = dashboard.dialog.getByRole('region', { name: 'What failed' })
  await expect(failed).toContainText('other')
  await expect(failed).toContainText('Enter a whole address')
  await dashboard.dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(dashboard.row(code)).toContainText('A page')
  await expect(dashboard.rows).toHaveCount(1)
  expect(await statusOf(`${baseURL}/${code}`)).toBe(302)
})

test('a list that cannot be read says so, and can be asked for again', async ({ dashboard, page }) => {
  await page.route('**/api/v1/links?*', (route) => route.abort())
  await page.goto('/dashboard')
  await expect(page.getByRole('alert').filter({ hasText: 'cannot be reached' })).toBeVisible()
  await page.unroute('**/api/v1/links?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('No links yet')).toBeVisible()
  await expect(dashboard.rows).toHaveCount(0)
})

test('the list works by keyboard alone', async ({ dashboard, page }) => {
  const code = uniqueCode('keys')
  await makeOwn(page, { url: 'https://example.com/', code })
  await dashboard.open()
  const focused = page.locator(':focus')
  const press = (key: string) => page.keyboard.press(key)
  await dashboard.search.focus()
  await page.keyboard.type(code)
  await press('Enter')
  await expect(page).toHaveURL(new RegExp(`q=${code}$`))
  await dashboard.row(code).getByRole('checkbox').focus()
  await press('Space')
  await expect(dashboard.chosen).toContainText('1 chosen')
  await press('Space')
  await expect(dashboard.chosen).toHaveCount(0)
  for (const name of [/^http|\/keys/, /^\d/, /^Copy/, /^Edit/, /^More for/]) {
    await press('Tab')
    await expect(focused).toHaveAccessibleName(name)
  }
  await press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await press('ArrowDown')
  await expect(focused).toHaveText('QR code')
  await press('Enter')
  await expect(dashboard.dialog.getByRole('img')).toBeVisible()
  await press('Escape')
  await expect(focused).toHaveAccessibleName(/^More for/)
  await press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await press('End')
  await expect(focused).toHaveText('Delete')
  await press('Enter')
  await expect(page.getByText('No links match')).toBeVisible()
  await expect(dashboard.title).toBeFocused()
})

test('an overview without links says what to do', async ({ page }) => {
  await signUp(page)
  await page.goto('/dashboard/overview')
  await page.getByRole('link', { name: 'Go to your links' }).click()
  await expect(page.getByText('No links yet')).toBeVisible()
})

test('the overview counts over all links', async ({ page }) => {
  await signUp(page)
  const link = await makeOwn(page, { url: 'https://example.com/', code: uniqueCode('over') })
  for (let click = 0; click < 3; click++) await page.request.get(link.shortUrl, { maxRedirects: 0 })
  const clicks = async () => (await (await page.request.get(`/api/v1/links/${link.code}`)).json()).clicks as number
  await expect.poll(clicks).toBe(3)
  await page.goto('/dashboard/overview')
  const recent = page.locator('dl > div').filter({ hasText: 'Clicks in 30 days' })
  await expect(recent.getByRole('definition')).toHaveText('3')
  await expect(page.getByRole('region', { name: 'Most clicked' }).getByRole('link')).toContainText(link.code)
  await page.getByRole('button', { name: 'As table' }).click()
  await expect(page.getByRole('region', { name: 'Clicks by day, as a table' }).getByRole('row').nth(1)).toContainText('3')
  await page.getByRole('button', { name: '7 days' }).click()
  await expect(page).toHaveURL(/\?days=7$/)
  await expect(page.getByText('Clicks in 7 days', { exact: true })).toBeVisible()
  await page.goBack()
  await expect(page.getByText('Clicks in 30 days', { exact: true })).toBeVisible()
})
