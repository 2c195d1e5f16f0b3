import { readFile } from 'node:fs/promises'
import { BASE_URL } from './support/settings'
import { expect, test, uniqueCode } from './support/test'

test('a link is changed in place: destination, title and everything else', async ({ front, page, destination, request }) => {
  const shortUrl = await front.make(`${destination}/before`)
  await front.row(shortUrl).getByRole('button', { name: /^Edit/ }).click()
  const { dialog } = front
  await dialog.getByLabel('Destination').fill(`${destination}/after`)
  await dialog.getByLabel('Title').fill('My page')
  await dialog.getByLabel('Expires').fill('2040-01-02T03:04')
  await dialog.getByText('Start and end', { exact: true }).click()
  await dialog.getByLabel('Click limit').fill('1000')
  await dialog.getByLabel('Redirect type').selectOption('307')
  await dialog.getByLabel('Password', { exact: true }).fill('sesame')
  const sent = page.waitForRequest((it) => it.method() === 'PATCH')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByText(/^Saved /)).toBeVisible()
  expect((await sent).postDataJSON()).toEqual({
    url: `${destination}/after`,
    title: 'My page',
    expiresAt: '2040-01-02T02:04:00.000Z',
    maxClicks: 1000,
    redirectStatus: 307,
    password: 'sesame',
  })
  const row = front.row(shortUrl)
  await expect(row).toContainText('My page')
  await expect(row).toContainText('Expires 2 Jan 2040, 03:04')
  await expect(row).toContainText('Password')

  // And back: what was set can be taken away.
  await row.getByRole('button', { name: /^Edit/ }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await dialog.getByLabel('Expires').fill('')
  await dialog.getByText('Start and end', { exact: true }).click()
  await dialog.getByLabel('Click limit').fill('')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(row).not.toContainText('Password')
  await expect(row).not.toContainText('Expires')
  const response = await request.get(shortUrl, { maxRedirects: 0 })
  expect(response.status()).toBe(307)
  expect(response.headers().location).toBe(`${destination}/after`)
})

test('a link that is switched off leads nowhere until it is switched on again', async ({ front, statusOf }) => {
  const shortUrl = await front.make('https://example.com/')
  const row = front.row(shortUrl)
  for (const [status, badge] of [
    [410, 'Turned off'],
    [302, ''],
  ] as const) {
    await row.getByRole('button', { name: /^Edit/ }).click()
    await front.dialog.getByRole('switch', { name: 'Turned on' }).click()
    await front.dialog.getByRole('button', { name: 'Save' }).click()
    await expect(front.dialog).toBeHidden()
    if (badge) await expect(row).toContainText(badge)
    else await expect(row).not.toContainText('Turned off')
    await expect.poll(() => statusOf(shortUrl)).toBe(status)
  }
})

test('what is wrong in a change is shown beside its field', async ({ front }) => {
  const shortUrl = await front.make('https://example.com/')
  await front.row(shortUrl).getByRole('button', { name: /^Edit/ }).click()
  const field = front.dialog.getByLabel('Destination')
  await field.fill('https://ada:secret@example.com/')
  const limit = front.dialog.getByLabel('Click limit')
  await front.dialog.getByText('Start and end', { exact: true }).click()
  await limit.fill('0')
  await front.dialog.getByRole('button', { name: 'Save' }).click()
  await expect(await front.errorOf(field)).toHaveText('Remove the username and password from the URL.')
  await expect(await front.errorOf(limit)).toHaveText('Use 1 or more.')
  await expect(field).toBeFocused()
  // What the operator allows comes after what no link can be.
  await limit.fill('')
  await field.fill('ftp://example.com/')
  await front.dialog.getByRole('button', { name: 'Save' }).click()
  await expect(await front.errorOf(field)).toHaveText(
    'Only http and https URLs can be shortened, and these schemes: mailto, tel.',
  )
})

test('a link that others were given too says so: only its title can change, and it stays', async ({ front, page, request }) => {
  const url = `https://example.com/${uniqueCode('shared')}`
  const shortUrl = await front.make(url)
  expect((await request.post('/api/v1/links', { data: { url, reuse: true } })).ok()).toBe(true)
  await page.reload()
  const row = front.row(shortUrl)
  await expect(row.getByText('Shared', { exact: true })).toBeVisible()
  await row.getByRole('button', { name: /^Delete .* can’t be deleted/ }).press('Enter')
  await expect(row).toBeVisible()

  await row.getByRole('button', { name: /^Edit/ }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('you can only edit its title')).toBeVisible()
  await expect(dialog.getByLabel('Destination')).not.toBeEditable()
  await expect(dialog.getByLabel('Expires')).toBeDisabled()
  await expect(dialog.getByRole('switch')).toBeDisabled()
  await expect(dialog.getByLabel('Title')).toBeFocused()
  await dialog.getByLabel('Title').fill('Ours')
  await page.keyboard.press('Enter')
  await expect(row).toContainText('Ours')
})

test('a deleted link is gone at once and Undo brings it back', async ({ front, page, statusOf }) => {
  const shortUrl = await front.make('https://example.com/')
  expect(await statusOf(shortUrl)).toBe(302)
  await front
    .row(shortUrl)
    .getByRole('button', { name: /^Delete/ })
    .click()
  await expect(front.rows).toHaveCount(0)
  await expect(front.result).toBeHidden()
  await expect(front.url).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Your links on this device' })).toBeFocused()
  await expect.poll(() => statusOf(shortUrl)).toBe(410)

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(front.row(shortUrl)).toBeVisible()
  await expect.poll(() => statusOf(shortUrl)).toBe(302)

  // Its key still opens it.
  await front.row(shortUrl).getByRole('button', { name: /^Edit/ }).click()
  await expect(front.dialog.getByLabel('Destination')).toHaveValue('https://example.com/')
})

test('a link that was deleted elsewhere, or whose key is refused, can be taken off the list', async ({
  front,
  page,
  request,
}) => {
  const gone = await front.make('https://example.com/gone')
  await front.result.getByRole('button', { name: 'Shorten another' }).click()
  const refused = await front.make('https://example.com/refused')
  await page.evaluate((url) => {
    const links = JSON.parse(localStorage.getItem('terse:links') ?? '[]') as { shortUrl: string; manageToken: string }[]
    const changed = links.map((link) => (link.shortUrl === url ? { ...link, manageToken: 'not-the-token' } : link))
    localStorage.setItem('terse:links', JSON.stringify(changed))
  }, refused)
  const stored = await page.evaluate(() => localStorage.getItem('terse:links') ?? '[]')
  const token = (JSON.parse(stored) as { shortUrl: string; manageToken: string }[]).find(
    (link) => link.shortUrl === gone,
  )?.manageToken
  const path = `/api/v1/links/${new URL(gone).pathname.slice(1)}`
  expect((await request.delete(path, { headers: { Authorization: `Bearer ${token}` } })).status()).toBe(204)

  await page.reload()
  await expect(front.row(gone)).toContainText('Deleted')
  await expect(front.row(refused)).toContainText('No access')
  for (const url of [gone, refused])
    await front
      .row(url)
      .getByRole('button', { name: /^Remove from this list/ })
      .click()
  await expect(page.getByText('No links yet')).toBeVisible()
})

test('links are remembered, newest first, and shared with other tabs', async ({ front, page, context }) => {
  const first = await front.make('https://example.com/1')
  await page.reload()
  await expect(front.row(first)).toBeVisible()

  const other = await context.newPage()
  await other.goto('/')
  await other.getByLabel('URL to shorten').fill('https://example.com/2')
  await other.getByLabel('URL to shorten').press('Enter')
  await expect(front.rows).toHaveCount(2)
  await expect(front.rows.first()).toContainText('example.com/2')
})

for (const [name, stored, count] of [
  ['broken JSON', '{"oops', 0],
  ['something else', '{"a":1}', 0],
  [
    'a list with odd entries',
    '[null, 3, {"code":"x"}, {"code":"c","domain":"d","shortUrl":"javascript:alert(1)","url":"https://e.com/","manageToken":"t"}]',
    0,
  ],
  [
    'an entry of an older version',
    '[{"code":"old","domain":"localhost","shortUrl":"http://localhost:3199/old","url":"https://example.com/old","manageToken":"t"}]',
    1,
  ],
  [
    'odd values in a list',
    `[${['"a"', '"\\ud800"'].map((code) => `{"code":${code},"domain":"localhost","shortUrl":"http://localhost:3199/a","url":"https://example.com/","manageToken":"t","createdAt":"then","startsAt":"now","expiresAt":"soon","clicks":1e999}`)}]`,
    1,
  ],
] as const) {
  test(`${name} in the storage does not break the page`, async ({ page, front }) => {
    await page.evaluate((text) => localStorage.setItem('terse:links', text), stored)
    await page.reload()
    await front.untilAlive()
    await expect(front.rows).toHaveCount(count)
    const shortUrl = await front.make('https://example.com/new')
    await expect(front.row(shortUrl)).toBeVisible()
  })
}

test('only the newest hundred are kept, ten are shown at first', async ({ page, front }) => {
  await page.evaluate((base) => {
    const links = Array.from({ length: 100 }, (_, index) => ({
      code: `old-${index}`,
      domain: 'localhost',
      shortUrl: `${base}/old-${index}`,
      url: 'https://example.com/old',
      manageToken: 't',
      createdAt: new Date(Date.UTC(2020, 0, 200 - index)).toISOString(),
      lost: 'gone',
    }))
    localStorage.setItem('terse:links', JSON.stringify(links))
  }, BASE_URL)
  await page.reload()
  await expect(front.rows).toHaveCount(10)
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(front.rows).toHaveCount(20)
  const shortUrl = await front.make('https://example.com/new')
  await expect(front.rows.first()).toContainText(new URL(shortUrl).pathname)
  const kept = await page.evaluate(() => JSON.parse(localStorage.getItem('terse:links') ?? '[]') as { code: string }[])
  expect(kept).toHaveLength(100)
  expect(kept.some(({ code }) => code === 'old-99')).toBe(false)
})

test('links and keys can be taken to another browser', async ({ front, page, browser }) => {
  const shortUrl = await front.make('https://example.com/moved')
  const started = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export links and keys' }).click()
  const file = await (await started).path()
  expect(JSON.parse(await readFile(file, 'utf8'))).toHaveLength(1)

  const elsewhere = await browser.newPage({ baseURL: BASE_URL })
  await elsewhere.goto('/')
  await expect(elsewhere.getByText('No links yet')).toBeVisible()
  await elsewhere.getByLabel('Exported links').setInputFiles(file)
  await expect(elsewhere.getByText('1 link added')).toBeVisible()
  await elsewhere.getByRole('button', { name: /^Edit/ }).click()
  await expect(elsewhere.getByRole('dialog').getByLabel('Destination')).toHaveValue('https://example.com/moved')
  expect(shortUrl).toContain(BASE_URL)
  await elsewhere.close()
})

test('the manage token can be copied for the API', async ({ front, page, request }) => {
  const shortUrl = await front.make('https://example.com/')
  await front.row(shortUrl).getByRole('button', { name: /^Edit/ }).click()
  await front.dialog.getByRole('button', { name: 'Copy manage token' }).click()
  await expect(page.getByText('Manage token copied')).toBeVisible()
  const headers = { Authorization: `Bearer ${await front.clipboard()}` }
  expect((await request.get(`/api/v1/links/${new URL(shortUrl).pathname.slice(1)}`, { headers })).status()).toBe(200)
})

test('international hosts are shown as people write them, unless they could deceive', async ({ front, page }) => {
  for (const [url, shown] of [
    ['https://münchen.example/straße', 'münchen.example/straße'],
    ['https://例え.テスト/', '例え.テスト'],
    ['https://аpple.example/', 'xn--pple-43d.example'],
  ] as const) {
    const shortUrl = await front.make(url)
    await expect(front.row(shortUrl)).toContainText(shown)
    await front.result.getByRole('button', { name: 'Shorten another' }).click()
  }
  const code = uniqueCode('スプリング')
  await front.openOptions()
  await front.code.fill(code)
  await front.make('https://example.com/')
  await expect(page.getByRole('link', { name: code }).first()).toBeVisible()
})
