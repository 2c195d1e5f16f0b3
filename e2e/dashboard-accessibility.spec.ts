import { makeOwn, signUp } from './support/account'
import { expectClean } from './support/clean'
import { DashboardPage } from './support/dashboard-page'
import { BASE_URL } from './support/settings'
import { expect, test, uniqueCode } from './support/test'

const LONG = `https://example.com/${'long/'.repeat(60)}?${'x'.repeat(300)}`
const TITLE = 'A title that somebody pasted from the head of a page, with everything in it, and then some more'

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`everyone can use, in ${colorScheme} colours,`, () => {
    test.use({ colorScheme, contextOptions: { reducedMotion: 'reduce' } })

    test('the list of links: empty, full, narrowed, chosen from, and without an answer', async ({ page }) => {
      await signUp(page)
      const dashboard = new DashboardPage(page)
      await dashboard.open()
      await expectClean(page)
      const code = uniqueCode('clean')
      await makeOwn(page, { url: LONG, code, title: TITLE, password: 'secret', listed: true })
      await makeOwn(page, { url: 'https://münchen.example/', code: `${code}/and/a/rather/long/code-that-goes-on-for-a-while` })
      await dashboard.open()
      await expectClean(page)
      await dashboard.row(code).getByRole('checkbox').check()
      await expect(dashboard.chosen).toBeVisible()
      await expectClean(page)
      await dashboard.open('?q=clean&from=2020-01-01&minClicks=0&maxClicks=1000')
      await expectClean(page)
      await dashboard.open('?q=nothing-is-called-this')
      await expectClean(page)
      await page.route('**/api/v1/links?*', (route) => route.abort())
      await page.goto('/dashboard')
      await expect(page.getByRole('alert').filter({ hasText: 'cannot be reached' })).toBeVisible()
      await expectClean(page)
    })

    test('the menu, the drawer, the filters, the new link and the deleted links', async ({ page }) => {
      await signUp(page)
      const code = uniqueCode('open')
      await makeOwn(page, { url: LONG, code, title: TITLE })
      const dashboard = new DashboardPage(page)
      await dashboard.open()
      await dashboard
        .row(code)
        .getByRole('button', { name: /^More for / })
        .click()
      await expect(page.getByRole('menu')).toBeVisible()
      await expectClean(page)
      await page.keyboard.press('Escape')
      await dashboard.row(code).getByRole('button', { name: /^Edit/ }).click()
      await dashboard.dialog.getByLabel('Destination').fill('nonsense')
      await dashboard.dialog.getByRole('button', { name: 'Save' }).click()
      await expect(dashboard.dialog.getByLabel('Destination')).toHaveAttribute('aria-invalid', 'true')
      await expectClean(page)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Filters' }).click()
      await expectClean(page)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'New link' }).click()
      await expectClean(page)
      await dashboard.dialog.getByLabel('URL to shorten').fill(LONG)
      await page.keyboard.press('Enter')
      await expect(dashboard.dialog.getByRole('button', { name: /^Copy/ })).toBeVisible()
      await expectClean(page)
      await page.keyboard.press('Escape')
      await dashboard.choose(code, 'Delete')
      await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
      await dashboard.open('?state=deleted')
      await expect(dashboard.rows).toHaveCount(1)
      await expectClean(page)
    })

    test('the progress of a bulk action, and what failed in it', async ({ page }) => {
      await signUp(page)
      const codes = [uniqueCode('job'), uniqueCode('job')]
      for (const code of codes) await makeOwn(page, { url: 'https://example.com/', code })
      const dashboard = new DashboardPage(page)
      await dashboard.open()
      await dashboard.tick(...codes)
      expect((await page.request.delete(`/api/v1/links/${codes[0]}`)).status()).toBe(204)
      await dashboard.chosen.getByRole('button', { name: 'Disable' }).click()
      await expect(page.getByRole('region', { name: 'What failed' })).toBeVisible()
      await expectClean(page)
    })

    test('the overview, empty and with its numbers', async ({ page }) => {
      await signUp(page)
      await page.goto('/dashboard/overview')
      await expect(page.getByText('Nothing to count yet')).toBeVisible()
      await expectClean(page)
      await makeOwn(page, { url: LONG, title: TITLE })
      await page.reload()
      await expect(page.getByRole('region', { name: 'Newest' })).toBeVisible()
      await expectClean(page)
      await page.getByRole('button', { name: 'As table' }).click()
      await expectClean(page)
    })

    test('a public page', async ({ page }) => {
      const { handle } = await signUp(page, `${TITLE.slice(0, 60)} ${'x'.repeat(39)}`)
      await page.request.patch('/api/v1/account', { headers: { Origin: BASE_URL }, data: { publicProfile: true } })
      await page.goto(`/@${handle}`)
      await expectClean(page)
      await makeOwn(page, { url: LONG, title: TITLE, listed: true })
      await page.reload()
      await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1)
      await expectClean(page)
    })

    test('the spoken box', async ({ front, page }) => {
      await page.getByRole('button', { name: 'Read it aloud' }).click()
      await page.keyboard.press('Enter')
      await expect(page.getByLabel('URL', { exact: true })).toHaveAttribute('aria-invalid', 'true')
      await expectClean(page)
      await page.getByLabel('URL', { exact: true }).fill('https://example.com/')
      await page.getByRole('button', { name: '6 digits' }).click()
      await page.keyboard.press('Tab')
      await front.page.getByRole('button', { name: 'Get a number' }).click()
      await expect(page.getByRole('region', { name: 'Your number' })).toBeVisible()
      await expectClean(page)
    })

    test('the report form, its errors and its receipt', async ({ page, makeLink }) => {
      const { shortUrl } = await makeLink({ url: 'https://example.com/' })
      await page.goto('/report')
      await expectClean(page)
      await page.getByRole('button', { name: 'Send the report' }).click()
      await expect(page.getByText('Choose a reason.')).toBeVisible()
      await expectClean(page)
      await page.getByLabel('Short link').fill(shortUrl)
      await page.getByRole('radio', { name: /^Spam/ }).check()
      await page.getByRole('button', { name: 'Send the report' }).click()
      await expect(page.getByRole('heading', { name: 'Thank you.' })).toBeVisible()
      await expectClean(page)
    })
  })
}
