import { readFile } from 'node:fs/promises'
import { expectClean } from './support/clean'
import { clickLink, StatsPage } from './support/stats-page'
import { ANY_SIZE, test as base, expect, uniqueCode } from './support/test'

const test = base.extend<{ stats: StatsPage }>({
  stats: async ({ page }, use) => use(new StatsPage(page)),
})

const HOSTILE = '<img src=x onerror="document.title=1">'
const VISITS = [
  { agent: 'firefox', headers: { Referer: 'https://news.example/a', 'Accept-Language': 'de-DE,de;q=0.9' } },
  { agent: 'chrome', headers: { Referer: 'https://news.example/b' }, query: { utm_source: 'poster' } },
  { agent: 'firefox', query: { utm_source: 'poster' } },
  { agent: 'googlebot' },
] as const

test.describe('the key of a link', () => {
  test('is asked for where it is not known, and then opens the statistics here for good', async ({
    front,
    page,
    stats,
    makeLink,
  }) => {
    const link = await makeLink({ url: 'https://example.com/' })
    await page.goto(stats.path(link))
    await stats.key.press('Enter')
    await expect(await front.errorOf(stats.key)).toHaveText('Paste the link’s manage token.')
    await expect(stats.key).toBeFocused()
    await stats.key.fill('wrong')
    await stats.key.press('Enter')
    await expect(await front.errorOf(stats.key)).toHaveText('This manage token doesn’t open this link.')

    await stats.key.fill(` ${link.manageToken} `)
    await stats.key.press('Enter')
    await expect(page.getByRole('heading', { name: 'No clicks yet' })).toBeVisible()
    await page.getByRole('link', { name: 'Your links' }).click()
    await expect(front.row(link.shortUrl)).toBeVisible()
  })

  test('can be kept to this tab', { tag: ANY_SIZE }, async ({ front, page, stats, makeLink }) => {
    const link = await makeLink({ url: 'https://example.com/' })
    await page.goto(stats.path(link))
    await stats.key.fill(link.manageToken)
    await page.getByLabel('Keep it with my links on this device').uncheck()
    await page.getByRole('button', { name: 'Show statistics' }).click()
    await stats.untilLoaded()
    await page.reload()
    await stats.untilLoaded()
    await page.goto('/')
    await front.untilAlive()
    await expect(front.rows).toHaveCount(0)
  })

  test('comes in the address too, is taken out of it, and is never part of a request’s', { tag: ANY_SIZE }, async ({
    page,
    stats,
    makeLink,
  }) => {
    const link = await makeLink({ url: 'https://example.com/' })
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await stats.open(link, '?range=7d')
    await expect(page).toHaveURL(stats.path(link, '?range=7d'))
    await page.reload()
    await stats.untilLoaded()
    expect(asked.filter((url) => url.includes(link.manageToken))).toEqual([])
  })

  test('that is refused is asked for again', { tag: ANY_SIZE }, async ({ page, stats, makeLink }) => {
    const link = await makeLink({ url: 'https://example.com/' })
    await page.goto(`${stats.path(link)}#token=not-the-key`)
    await expect(stats.key).toBeVisible()
    await stats.key.fill(link.manageToken)
    await stats.key.press('Enter')
    await stats.untilLoaded()
  })
})

test('a link is one step from its statistics, whatever its code', async ({ front, page, stats, request }) => {
  await front.openOptions()
  const code = `${uniqueCode('été')}/ما`
  await front.code.fill(code)
  const shortUrl = await front.make('https://example.com/')
  await front.result.getByRole('link', { name: 'Statistics' }).click()
  await stats.untilLoaded()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(code)
  await expect(page).toHaveTitle(`Statistics for ${code} · Terse`)

  const [stored] = await page.evaluate(() => JSON.parse(localStorage.getItem('terse:links') ?? '[]'))
  await clickLink(request, stored, [{}])
  await page.getByRole('link', { name: 'Your links' }).click()
  await front.row(shortUrl).getByRole('link', { name: '1 click' }).click()
  await expect(stats.total('Clicks')).toContainText('1')
  await page.goBack()
  await front
    .row(shortUrl)
    .getByRole('link', { name: /^Statistics for/ })
    .click()
  await expect(stats.total('Visitors')).toContainText('1')
})

test('a link with several destinations shows what each of them got, and one without shows nothing of it', async ({
  page,
  stats,
  request,
  makeLink,
}) => {
  const rule = { when: [{ of: 'browser', in: ['Firefox'] }], url: 'https://www.example.com/firefox?own=1' }
  const link = await makeLink({ url: 'https://example.com/', routing: { rules: [rule], query: 'forward' } })
  await clickLink(request, link, [{}, {}, { agent: 'chrome', query: { utm_source: 'mail' } }])
  await stats.open(link)
  const panel = stats.region('Destinations')
  await expect(stats.row('Destination', 'www.example.com/firefox\\?own=1')).toHaveText(/2\.00 per visitor267%$/)
  await expect(stats.row('Destination', 'example.com')).toContainText('33%')
  await expectClean(page)
  await stats.row('Destination', 'example.com').click()
  await expect(page).toHaveURL(/destination=https%3A%2F%2Fexample\.com%2F/)
  await expect(stats.filters).toHaveCount(1)
  await expect(stats.total('Clicks')).toContainText('1')
  await expect(stats.row('Browser', 'Chrome')).toContainText('100%')
  await expect(panel).toBeVisible()

  const plain = await makeLink({ url: 'https://example.com/' })
  await clickLink(request, plain, [{}])
  await stats.open(plain)
  await expect(stats.row('Browser', 'Firefox')).toBeVisible()
  await expect(panel).toHaveCount(0)
})

test('an empty page says what to do next, and fills by itself', async ({ front, page, stats, request, makeLink }) => {
  const link = await makeLink({ url: 'https://example.com/' })
  await stats.open(link)
  await page
    .getByRole('button', { name: `Copy ${link.shortUrl.replace('http://', '')}` })
    .last()
    .click()
  expect(await front.clipboard()).toBe(link.shortUrl)
  await clickLink(request, link, [{}])
  await expect(stats.total('Clicks')).toContainText('1')
  await expect(stats.row('Browser', 'Firefox')).toContainText('100%')
})

test.describe('what is shown', () => {
  test('is chosen by filters, which are in the address and go with the back button', async ({
    page,
    stats,
    request,
    makeLink,
  }) => {
    const link = await makeLink({ url: 'https://example.com/' })
    await clickLink(request, link, [...VISITS])
    await stats.open(link)
    await expect(stats.total('Clicks')).toContainText('3')

    await stats.row('Source', 'news.example').click()
    await expect(page).toHaveURL(stats.path(link, '?source=news.example'))
    await expect(stats.filters).toHaveCount(1)
    await expect(stats.total('Clicks')).toContainText('2')
    await stats.row('Browser', 'Chrome').click()
    await expect(page).toHaveURL(stats.path(link, '?source=news.example&browser=Chrome'))
    await expect(stats.total('Clicks')).toContainText('1')

    await page.goBack()
    await expect(stats.filters).toHaveText(['Source:news.example'])
    await stats.filters.click()
    await expect(stats.filters).toHaveCount(0)
    await expect(page).toHaveURL(stats.path(link))

    // Shared, it opens as it was; no referrer at all is a value as well.
    await page.goto(stats.path(link, '?range=7d&referrer='))
    await expect(stats.filters).toHaveText(['Referrer:Direct'])
    await expect(stats.total('Clicks')).toContainText('1')
    await expect(page.getByRole('button', { name: 'Last 7 days' })).toHaveAttribute('aria-pressed', 'true')
  })

  test('is chosen by ranges, also by one of one’s own', async ({ page, stats, request, makeLink }) => {
    const link = await makeLink({ url: 'https://example.com/' })
    await clickLink(request, link, [{}])
    await stats.open(link)
    await page.getByRole('button', { name: 'Last 24 hours' }).click()
    await expect(page).toHaveURL(/\?range=24h$/)
    await expect(page.getByLabel('Interval')).toHaveValue('hour')
    await page.getByRole('button', { name: 'Custom range' }).click()
    await stats.dialog.getByLabel('From').fill('2020-01-02T00:00')
    await stats.dialog.getByLabel('To').fill('2020-01-01T00:00')
    await page.keyboard.press('Enter')
    await expect(stats.dialog.getByLabel('To')).toHaveAttribute('aria-invalid', 'true')
    await stats.dialog.getByLabel('To').fill('2020-02-01T00:00')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/from=2020-01-01T23%3A00%3A00.000Z&to=2020-01-31T23%3A00%3A00.000Z$/)
    await page.getByRole('button', { name: 'Show all time' }).click()
    await expect(stats.total('Clicks')).toContainText('1')
  })

  test('is all within reach of the keyboard', async ({ page, stats, request, makeLink }) => {
    const link = await makeLink({ url: 'https://example.com/' })
    await clickLink(request, link, [...VISITS])
    await stats.open(link)
    const software = stats.region('Software')
    await software.getByRole('tab', { name: 'Browser' }).focus()
    await page.keyboard.press('ArrowRight')
    await expect(software.getByRole('tab', { name: 'Operating system' })).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Tab')
    await expect(stats.row('Operating system', 'Windows')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\?os=Windows$/)
    await expect(stats.filters).toHaveCount(1)
    await stats.filters.press('Enter')
    await expect(stats.filters).toHaveCount(0)

    await page.getByRole('button', { name: 'Show table' }).press('Enter')
    const table = stats.region('Clicks over time, as a table')
    await expect(table.getByRole('row').nth(1)).toContainText('3')
    await page.getByRole('button', { name: 'Export' }).press('Enter')
    await expect(page.getByRole('menuitem', { name: /^Statistics/ })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Export' })).toBeFocused()
  })

  test('can be taken along as files', { tag: ANY_SIZE }, async ({ page, stats, request, makeLink }) => {
    const link = await makeLink({ url: 'https://example.com/' })
    await clickLink(request, link, [...VISITS])
    await stats.open(link)
    for (const [item, lines] of [
      ['Statistics (CSV)', 10],
      ['Clicks (CSV)', 4],
    ] as const) {
      const started = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Export' }).click()
      await page.getByRole('menuitem', { name: item }).click()
      const text = await readFile(await (await started).path(), 'utf8')
      expect(text.trim().split('\n').length).toBeGreaterThanOrEqual(lines)
    }
  })

  test('is harmless, whatever clients send', async ({ page, stats, request, makeLink }) => {
    const link = await makeLink({ url: 'https://example.com/', title: HOSTILE })
    const values = [HOSTILE, 'x'.repeat(100), '\u202eمثال', '🎉'.repeat(20)]
    await clickLink(
      request,
      link,
      values.map((value) => ({ query: { utm_source: value }, headers: { 'Accept-Language': 'x"<b>' } })),
    )
    await stats.open(link)
    const campaigns = stats.region('Campaigns')
    await expect(campaigns.getByRole('list').getByRole('button')).toHaveCount(values.length)
    await campaigns.getByRole('button', { name: '<img' }).click()
    await expect(stats.filters).toHaveText([`UTM source:${HOSTILE}`])
    await expect(page.locator('main img')).toHaveCount(0)
    await expectClean(page)
  })
})

test('what cannot be shown is explained', async ({ page, stats, request, makeLink }) => {
  const link = await makeLink({ url: 'https://example.com/' })
  await request.delete(`/api/v1/links/${link.code}`, { headers: { Authorization: `Bearer ${link.manageToken}` } })
  await page.goto(`${stats.path(link)}#token=${link.manageToken}`)
  await expect(page.getByRole('alert').filter({ hasText: 'This link was deleted.' })).toBeVisible()

  const other = await makeLink({ url: 'https://example.com/' })
  // The live connection as well: it would bring the numbers back by itself.
  const numbers = /\/(stats|live)\?/
  await page.route(numbers, (route) => route.abort())
  await page.goto(`${stats.path(other)}#token=${other.manageToken}`)
  await expect(page.getByRole('alert').filter({ hasText: 'Can’t reach the server' })).toBeVisible()
  await page.unroute(numbers)
  await page.getByRole('button', { name: 'Try again' }).click()
  await stats.untilLoaded()

  await page.goto(stats.path(other, '?range=90d&interval=minute'))
  await expect(page.getByRole('alert').filter({ hasText: 'at most 6 hours' })).toBeVisible()
  await page.getByRole('button', { name: 'Show the last 30 days' }).click()
  await stats.untilLoaded()
})

test('search engines are kept out', { tag: ANY_SIZE }, async ({ page, request }) => {
  const headers = (await request.get('/stats/any')).headers()
  expect(headers['content-security-policy']).toContain("default-src 'self'")
  await page.goto('/stats/any')
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex, nofollow')
})

test.describe('everyone can use', { tag: ANY_SIZE }, () => {
  test.use({ contextOptions: { reducedMotion: 'reduce' } })

  test('the form for the key, and the page without clicks', async ({ page, stats, makeLink }) => {
    const link = await makeLink({ url: 'https://example.com/' })
    await page.goto(stats.path(link))
    await stats.key.press('Enter')
    await expect(stats.key).toHaveAttribute('aria-invalid', 'true')
    await expectClean(page)
    await stats.open(link)
    await expectClean(page)
  })

  test('the statistics, as charts and as a table', async ({ page, stats, request, makeLink }) => {
    const link = await makeLink({ url: `https://example.com/${'long/'.repeat(60)}`, title: 'A title' })
    await clickLink(request, link, [...VISITS])
    await stats.open(link)
    await expectClean(page)
    await page.getByRole('button', { name: 'Show table' }).click()
    await stats.region('Latest clicks').locator('summary').first().click()
    await expectClean(page)
  })

  test('the statistics, with a dialog of sources', async ({ page, stats, request, makeLink }) => {
    const link = await makeLink({ url: 'https://example.com/', title: 'A title' })
    const sites = Array.from({ length: 10 }, (_, index) => ({ headers: { Referer: `https://site-${index}.example/` } }))
    await clickLink(request, link, [...VISITS, ...sites])
    await stats.open(link)
    await stats.region('Sources').getByRole('button', { name: 'Show more' }).click()
    await stats.dialog.getByLabel('Search').fill('site-7')
    await expect(stats.dialog.getByRole('listitem')).toHaveCount(1)
    await expectClean(page)
    await stats.dialog.getByRole('listitem').getByRole('button').click()
    await expect(stats.filters).toHaveText(['Source:site-7.example'])
  })

  test('the statistics, filtered, and with a menu', async ({ page, stats, request, makeLink }) => {
    const link = await makeLink({ url: 'https://example.com/', title: 'A title' })
    await clickLink(request, link, [...VISITS])
    await stats.open(link, '?browser=Firefox')
    await expect(stats.filters).toHaveText(['Browser:Firefox'])
    await expectClean(page)
    await page.getByRole('button', { name: 'Export' }).click()
    await expect(page.getByRole('menu')).toBeVisible()
    await expectClean(page)
  })
})
