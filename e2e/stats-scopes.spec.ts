import type { Page } from '@playwright/test'
import { makeOwn, signUp } from './support/account'
import { expectClean } from './support/clean'
import { BASE_URL } from './support/settings'
import { AGENTS, StatsPage } from './support/stats-page'
import { ANY_SIZE, expect, test, uniqueCode } from './support/test'

interface Own {
  code: string
  shortUrl: string
}

/** Follows links, each so often, and waits until all of that is counted. */
async function click(page: Page, times: [Own, number][], agent: keyof typeof AGENTS = 'firefox'): Promise<void> {
  const counted = async ({ code }: Own) => (await (await page.request.get(`/api/v1/links/${code}`)).json()).clicks as number
  for (const [link, count] of times) {
    const before = await counted(link)
    for (let done = 0; done < count; done++) {
      await page.request.get(link.shortUrl, { maxRedirects: 0, headers: { 'User-Agent': AGENTS[agent] } })
    }
    await expect.poll(() => counted(link)).toBe(before + count)
  }
}

const untilLoaded = async (page: Page) => {
  await expect(page.locator('.skeleton')).toHaveCount(0)
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
}

test('a tag, a folder and all links have the page of a link, one step from the dashboard', async ({ dashboard, page }) => {
  const stats = new StatsPage(page)
  const [one, two, other] = [
    await makeOwn(page, { url: 'https://example.com/one', code: uniqueCode('one'), tags: ['Spring'], folder: 'Clients' }),
    await makeOwn(page, { url: 'https://example.com/two', code: uniqueCode('two'), tags: ['Spring'] }),
    await makeOwn(page, { url: 'https://example.com/other', code: uniqueCode('other'), folder: 'Clients' }),
  ]
  await click(page, [
    [one, 1],
    [two, 3],
    [other, 2],
  ])
  await click(page, [[two, 1]], 'googlebot')
  const note = { headers: { Origin: BASE_URL }, data: { text: 'Newsletter sent' } }
  expect((await page.request.post(`/api/v1/links/${one.code}/notes`, note)).status()).toBe(201)

  await dashboard.open()
  await dashboard.row(one.code).getByRole('button', { name: 'Show links with the tag Spring' }).click()
  await expect(page).toHaveURL(/tag=Spring/)
  await page.getByRole('link', { name: 'Statistics', exact: true }).click()
  await expect(page).toHaveURL(/\/stats\?tag=Spring$/)
  await untilLoaded(page)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Tag: Spring')
  await expect(page.getByText('2 links with clicks')).toBeVisible()
  await expect(stats.total('Clicks')).toContainText('4')
  await expect(stats.total('Visitors per link')).toContainText('2')
  const top = stats.region('Most clicked links').getByRole('listitem')
  await expect(top).toHaveCount(2)
  await expect(top.first()).toContainText(two.code)
  const latest = stats.region('Latest clicks').getByRole('listitem')
  await expect(latest).toHaveCount(4)
  await expect(latest.filter({ hasText: two.code })).toHaveCount(3)
  const notes = page.getByRole('list', { name: 'Notes' }).getByRole('listitem')
  await expect(notes).toContainText(`Newsletter sent${one.shortUrl.replace(/^https?:\/\//, '')}`)
  await expect(page.getByRole('button', { name: 'Add note' })).toHaveCount(0)
  await expectClean(page)
  // The next click arrives without a reload.
  await expect(page.getByText('Live', { exact: true })).toBeVisible()
  await click(page, [[one, 1]])
  await expect(stats.total('Clicks')).toContainText('5')
  await expect(latest.filter({ hasText: one.code })).toHaveCount(2)

  await stats.row('Browser', 'Firefox').click()
  await expect(page).toHaveURL(/tag=Spring&browser=Firefox$/)
  await expect(stats.total('Clicks')).toContainText('5')
  await page.getByRole('combobox', { name: 'Show statistics for' }).selectOption('Folder: Clients')
  await expect(page).toHaveURL(/folder=Clients&browser=Firefox$/)
  await expect(stats.total('Clicks')).toContainText('4')
  await page.getByRole('combobox', { name: 'Show statistics for' }).selectOption('All links')
  await expect(page).toHaveURL(/\/stats\?browser=Firefox$/)
  await expect(stats.total('Clicks')).toContainText('7')
  await stats.filters.click()
  await page.getByRole('button', { name: 'Bots' }).click()
  await expect(stats.total('Bot clicks')).toContainText('1')
  await stats.region('Most clicked links').getByRole('link').click()
  await expect(page).toHaveURL(new RegExp(`/stats/${two.code}`))
  await expect(stats.total('Clicks')).toContainText('3')

  await page.goto('/dashboard/overview')
  await page.getByRole('link', { name: 'Statistics', exact: true }).click()
  await expect(page).toHaveURL(/\/stats$/)
  await expect(stats.total('Clicks')).toContainText('7')
  await page.goto('/dashboard')
  await page.getByRole('button', { name: 'Tags', exact: true }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Statistics for Clients' }).click()
  await expect(page).toHaveURL(/\/stats\?folder=Clients$/)
  await expect(stats.total('Clicks')).toContainText('4')
})

test('without clicks it says so, and of what is not there that it is not', async ({ dashboard, page }) => {
  await dashboard.open()
  await page.goto('/stats')
  await expect(page.getByText('No clicks yet')).toBeVisible()
  await expectClean(page)
  await page.goto('/stats?tag=unheard-of')
  await expect(page.getByRole('heading', { name: 'There’s no such tag or folder' })).toBeVisible()
  await page.goto('/stats?domain=nowhere.example')
  await expect(page.getByRole('heading', { name: 'There’s no such domain' })).toBeVisible()
  await page.goto('/stats?tag=a&folder=b')
  await expect(page.getByText('Use only one of tag, folder, and domain.')).toBeVisible()
  await expectClean(page)
})

test('whoever is not signed in is asked to', { tag: ANY_SIZE }, async ({ page }) => {
  await page.goto('/stats?tag=Spring')
  await expect(page).toHaveURL(/\/sign-in\?next=%2Fstats%3Ftag%3DSpring$/)
})

test('more links than are read at once are counted, and say of when they are', async ({ page }) => {
  await signUp(page)
  const stats = new StatsPage(page)
  const links: Own[] = []
  for (let made = 0; made < 101; made++) {
    links.push(await makeOwn(page, { url: 'https://example.com/', code: uniqueCode('many') }))
  }
  for (const { shortUrl } of links) {
    await page.request.get(shortUrl, { maxRedirects: 0, headers: { 'User-Agent': AGENTS.firefox } })
  }
  const total = async () => (await (await page.request.get('/api/v1/account/overview?days=30')).json()).clicks as number
  await expect.poll(total).toBe(101)
  await page.goto('/stats')
  await expect(page.getByText(/101 links with clicks · As of/)).toBeVisible()
  await untilLoaded(page)
  await expect(stats.total('Clicks')).toContainText('101')
  await expect(stats.region('Most clicked links').getByRole('listitem')).toHaveCount(10)
  await expectClean(page)
  await stats.row('Browser', 'Firefox').click()
  await expect(page.getByText('There are too many links to break down')).toBeVisible()
  await expect(stats.total('Clicks')).toContainText('101')
  await page.getByRole('button', { name: 'Bots' }).click()
  await expect(page).toHaveURL(/\/stats\?kind=bot$/)
  await page.goto('/stats?browser=Firefox&os=Linux')
  await page.getByRole('button', { name: 'Show the last 30 days' }).click()
  await expect(stats.total('Clicks')).toContainText('101')
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: /Statistics/ }).click()
  expect((await file).suggestedFilename()).toBe('stats-all.csv')
})
