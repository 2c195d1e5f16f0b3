import { makeOwn, signUp } from './support/account'
import { expectClean } from './support/clean'
import { clickLink, StatsPage } from './support/stats-page'
import { test as base, expect } from './support/test'

const test = base.extend<{ stats: StatsPage }>({
  stats: async ({ page }, use) => use(new StatsPage(page)),
})

const from = (host: string) => ({ headers: { Referer: `https://${host}/` } })

test('people come first, and bots are one step away, in the address', async ({ page, stats, request, makeLink }) => {
  const link = await makeLink({ url: 'https://example.com/' })
  await clickLink(request, link, [
    {},
    { agent: 'chrome' },
    { agent: 'googlebot' },
    { agent: 'googlebot' },
    { agent: 'googlebot' },
  ])
  await stats.open(link)
  await expect(stats.total('Clicks')).toContainText('2')
  await expect(stats.total('Visitors')).toContainText('2')
  await expect(stats.row('Browser', 'Googlebot')).toHaveCount(0)

  await page.getByRole('button', { name: 'Bots 3' }).click()
  await expect(page).toHaveURL(stats.path(link, '?kind=bot'))
  await expect(stats.total('Bot clicks')).toContainText('3')
  await expect(stats.total('Visitors')).toHaveCount(0)
  await expect(stats.row('Browser', 'Googlebot')).toContainText('100%')
  await expect(stats.region('Latest clicks').getByRole('listitem')).toHaveCount(3)
  await page.reload()
  await expect(stats.total('Bot clicks')).toContainText('3')
  await page.goBack()
  await expect(stats.total('Clicks')).toContainText('2')
})

test('a rise of people is good news, and one of bots is none', async ({ page, stats, request, makeLink }) => {
  const link = await makeLink({ url: 'https://example.com/' })
  await clickLink(request, link, [{}, { agent: 'googlebot' }])
  await stats.open(link)
  const rise = (name: string) => stats.total(name).locator('dd span > span', { hasText: /^up/ })
  // The minute before had none.
  const to = new Date()
  to.setSeconds(60, 0)
  const range = `?${new URLSearchParams({ from: new Date(to.getTime() - 30 * 60_000).toISOString(), to: to.toISOString() })}`
  await page.route(/\/stats\?/, async (route) => {
    const answer = await route.fetch()
    const body = await answer.json()
    body.previous = { from: body.from, to: body.to, series: [], totals: { clicks: 0, visitors: 0, bots: 0, previews: 0 } }
    await route.fulfill({ response: answer, json: body })
  })
  await page.goto(stats.path(link, range))
  const colourOf = (name: string) =>
    rise(name)
      .first()
      .evaluate((element) => getComputedStyle(element).color)
  const good = await page.evaluate(() => {
    const probe = document.body.appendChild(document.createElement('span'))
    probe.style.color = 'var(--ok)'
    return getComputedStyle(probe).color
  })
  expect(await colourOf('Clicks')).toBe(good)
  await page.getByRole('button', { name: /^Bots/ }).click()
  await expect(stats.total('Bot clicks')).toBeVisible()
  expect(await colourOf('Bot clicks')).not.toBe(good)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('sources have names, and the hosts behind one are a step away', async ({ page, stats, request, makeLink }) => {
  const link = await makeLink({ url: 'https://example.com/' })
  await clickLink(request, link, [
    from('t.co'),
    from('twitter.com'),
    from('l.facebook.com'),
    from('m.facebook.com'),
    from('x.com'),
    { headers: { Referer: 'android-app://com.Slack/' } },
    from('www.google.de'),
    from('www.google.co.uk'),
  ])
  await stats.open(link)
  await expect(page.getByRole('list', { name: 'Source', exact: true }).getByRole('listitem')).toHaveText(
    [/^X 3/, /^Facebook 2/, /^Google 2/, /^Slack 1/].map((name) => new RegExp(name.source.replace(' ', '\\s*'))),
  )
  await stats.row('Source', 'X').click()
  await expect(page).toHaveURL(stats.path(link, '?source=X'))
  await expect(stats.filters).toHaveText(['Source:X'])
  await expect(stats.total('Clicks')).toContainText('3')
  for (const host of ['t.co', 'twitter.com', 'x.com']) await expect(stats.row('Referrer', host)).toBeVisible()
  await stats.row('Referrer', 't.co').click()
  await expect(stats.total('Clicks')).toContainText('1')
})

test.describe('in German', () => {
  test.use({ locale: 'de-DE' })

  test('the words of the page are all of one language', async ({ page, stats, request, makeLink }) => {
    const link = await makeLink({ url: 'https://example.com/' })
    await clickLink(request, link, [{ headers: { 'Accept-Language': 'de' } }])
    await page.goto(`${stats.path(link)}#token=${link.manageToken}`)
    await expect(page.getByRole('list', { name: 'Sprache' }).getByRole('button', { name: /^Deutsch / })).toBeVisible()
    await expect(page.getByRole('rowheader', { name: 'Mi', exact: true })).toBeVisible()
  })
})

test('the statistics of an account’s link offer strangers to sign in, and no token', async ({ page, browser, stats }) => {
  await signUp(page)
  const link = await makeOwn(page, { url: 'https://example.com/' })
  const path = stats.path({ ...link, manageToken: '' }, '?range=7d')
  const stranger = await (await browser.newContext()).newPage()
  await stranger.goto(path)
  await expect(stranger.getByRole('heading', { name: 'Sign in to see these statistics' })).toBeVisible()
  await expect(stranger.getByLabel('Manage token', { exact: true })).toHaveCount(0)
  await expect(stranger.getByRole('main').getByRole('link', { name: 'Sign in' })).toHaveAttribute(
    'href',
    `/sign-in?next=${encodeURIComponent(path)}`,
  )
  await expectClean(stranger)
  await signUp(stranger, 'Grace')
  await stranger.goto(path)
  await expect(stranger.getByRole('heading', { name: 'This link belongs to another account' })).toBeVisible()
  await stranger.context().close()
  await page.goto(path)
  await stats.untilLoaded()
})

test('each number says what it means, by key and by click', async ({ page, stats, request, makeLink }) => {
  const link = await makeLink({ url: 'https://example.com/' })
  await clickLink(request, link, [{}])
  await stats.open(link)
  const question = page.getByRole('button', { name: 'What does “Visitors” mean?' })
  await question.press('Enter')
  const answer = page.getByRole('dialog', { name: 'Visitors' })
  await expect(answer).toContainText('each counted once a day')
  await expectClean(page)
  await page.keyboard.press('Escape')
  await expect(answer).toHaveCount(0)
  await expect(question).toBeFocused()
  await page.getByRole('button', { name: 'What does “Busy hours” mean?' }).click()
  await expect(page.getByRole('dialog', { name: 'Busy hours' })).toBeVisible()
})

/** Relative luminance and contrast as WCAG defines them, of what a browser computes for a style. */
const contrastsOfSteps = () => {
  const pen = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', {
    willReadFrequently: true,
  }) as CanvasRenderingContext2D
  const luminance = (colour: string) => {
    pen.fillStyle = colour
    pen.fillRect(0, 0, 1, 1)
    const [r = 0, g = 0, b = 0] = [...pen.getImageData(0, 0, 1, 1).data].map((byte) => {
      const share = byte / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const contrast = (a: number, b: number) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
  const cells = [0, 1, 2, 3, 4, 5].flatMap((step) => {
    const cell = document.querySelector(`td[data-step="${step}"]`)
    const style = cell && getComputedStyle(cell)
    return style ? [{ fill: luminance(style.backgroundColor), text: luminance(style.color) }] : []
  })
  return {
    steps: cells.slice(1).map(({ fill }, index) => contrast(fill, cells[index]?.fill ?? 0)),
    texts: cells.map(({ fill, text }) => contrast(fill, text)),
  }
}

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in a ${colorScheme} room`, () => {
    test.use({ colorScheme, contextOptions: { reducedMotion: 'reduce' } })

    test('the steps of the heat map are told apart, and their numbers can be read', async ({
      page,
      stats,
      request,
      makeLink,
    }) => {
      const link = await makeLink({ url: 'https://example.com/' })
      await clickLink(request, link, [{}])
      await page.route(/\/stats\?/, async (route) => {
        const answer = await route.fetch()
        const body = await answer.json()
        body.hourOfWeek[0] = body.hourOfWeek[0].map((_: number, hour: number) => (hour < 6 ? hour ** 2 * 4 : 0))
        await route.fulfill({ response: answer, json: body })
      })
      await stats.open(link)
      const { steps, texts } = await page.evaluate(contrastsOfSteps)
      expect(steps).toHaveLength(5)
      for (const step of steps) expect(step).toBeGreaterThan(1.3)
      for (const text of texts) expect(text).toBeGreaterThan(4.5)
      await expectClean(page)
    })
  })
}
