import type { Request } from '@playwright/test'
import { makeOwn } from './support/account'
import { expectClean } from './support/clean'
import { holdScripts } from './support/late-scripts'
import { expect, test, uniqueCode } from './support/test'

test.describe('single keys', () => {
  test('move through the list and act on the link that the cursor is on', async ({ dashboard, page }) => {
    const [older, newer] = [uniqueCode('older'), uniqueCode('newer')]
    await makeOwn(page, { url: 'https://example.com/', code: older })
    await makeOwn(page, { url: 'https://example.com/', code: newer })
    await dashboard.open()
    const press = (key: string) => page.keyboard.press(key)
    await press('j')
    await expect(dashboard.row(newer)).toBeFocused()
    await press('j')
    await press('j')
    await expect(dashboard.row(older)).toBeFocused()
    await press('k')
    await expect(dashboard.row(newer)).toBeFocused()

    await press('x')
    await expect(dashboard.chosen).toContainText('1 selected')
    await expect(dashboard.row(newer)).toBeFocused()
    await press('x')
    await expect(dashboard.chosen).toHaveCount(0)
    await press('q')
    await expect(dashboard.dialog.getByRole('img')).toBeVisible()
    // In a dialog they are nobody's.
    await press('c')
    await press('Escape')
    await expect(dashboard.dialog).toHaveCount(0)
    await expect(dashboard.row(newer)).toBeFocused()
    await press('e')
    await expect(dashboard.dialog.getByLabel('Destination')).toHaveValue('https://example.com/')
    await press('Escape')
    await expect(dashboard.row(newer)).toBeFocused()
    await press('j')
    await press('Enter')
    await expect(page).toHaveURL(new RegExp(`/stats/${older}$`))
    // Back, one goes on where one was, whichever way one went.
    await page.goBack()
    await expect(dashboard.row(older)).toBeFocused()
    await press('k')
    await dashboard.choose(newer, 'Statistics')
    await expect(page).toHaveURL(new RegExp(`/stats/${newer}$`))
    await page.goBack()
    await expect(dashboard.row(newer)).toBeFocused()
  })

  test('create and search from anywhere, and are letters where one types', async ({ dashboard, page }) => {
    await dashboard.open()
    await page.keyboard.press('/')
    await expect(dashboard.search).toBeFocused()
    await page.keyboard.type('c?j')
    await expect(dashboard.search).toHaveValue('c?j')
    await expect(dashboard.dialog).toHaveCount(0)
    await dashboard.title.focus()
    await page.keyboard.press('Control+c')
    await dashboard.title.evaluate((title) =>
      title.dispatchEvent(new KeyboardEvent('keydown', { key: 'c', isComposing: true, bubbles: true })),
    )
    await expect(dashboard.dialog).toHaveCount(0)
    await page.keyboard.press('c')
    await expect(dashboard.dialog).toHaveAccessibleName('Create link')

    await page.goto('/dashboard/overview')
    await expect(page.getByRole('button', { name: /^Account menu/ })).toBeEnabled()
    await page.keyboard.press('c')
    await expect(dashboard.dialog).toHaveAccessibleName('Create link')
    await expect(page).toHaveURL(/\/dashboard$/)
  })

  test('open one dialog at a time, and what is typed before it has come goes into its field', async ({ dashboard, page }) => {
    await makeOwn(page, { url: 'https://example.com/', code: uniqueCode('layer') })
    await dashboard.open()
    await page.keyboard.press('j')
    const arrive = await holdScripts(page)
    await page.keyboard.press('c')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('https://example.com/export')
    arrive()
    await expect(dashboard.dialog.getByLabel('URL to shorten')).toHaveValue('https://example.com/export')
    await expect(dashboard.dialog).toHaveCount(1)
    await expect(dashboard.chosen).toHaveCount(0)
  })

  test('are the page’s again once one turned to something else before what they asked for had come', async ({
    dashboard,
    page,
  }) => {
    // What is fetched beforehand of the page would let it come at once.
    const isBeforehand = (request: Request) => 'next-router-prefetch' in request.headers()
    await page.route(/\/dashboard\?/, (route) => (isBeforehand(route.request()) ? route.abort() : undefined))
    await page.goto('/dashboard/overview')
    await expect(page.getByRole('button', { name: /^Account menu/ })).toBeEnabled()
    const asked = page.waitForRequest((request) => request.url().includes('/dashboard?create') && !isBeforehand(request))
    await page.keyboard.press('c')
    await asked
    await dashboard.title.click()
    await page.keyboard.press('?')
    await expect(dashboard.dialog).toHaveAccessibleName('Keyboard shortcuts')
  })

  test('open a form that gets what is typed while its link is on its way', async ({ dashboard, page }) => {
    const code = uniqueCode('slow')
    await makeOwn(page, { url: 'https://example.com/', code })
    await dashboard.open()
    let arrive = () => {}
    const held = new Promise<void>((resolve) => (arrive = resolve))
    await page.route(`**/api/v1/links/${code}*`, async (route) => {
      await held
      await route.continue()
    })
    await page.keyboard.press('j')
    await page.keyboard.press('e')
    await expect(dashboard.dialog.getByRole('status', { name: 'Loading the link' })).toBeVisible()
    await page.keyboard.type('typed ')
    arrive()
    await expect(dashboard.dialog.getByLabel('Destination')).toHaveValue(/typed /)
    await page.keyboard.type('more')
    await expect(dashboard.dialog.getByLabel('Destination')).toHaveValue(/typed more/)
  })

  test('say once what has no network', async ({ dashboard, page }) => {
    await dashboard.open()
    await page.route('**/*.js', (route) => route.abort())
    const failed = page.getByText('Can’t reach the server')
    for (const key of ['c', 'v', '?']) {
      await page.keyboard.press(key)
      await expect(failed).toHaveCount(1)
      await expect(dashboard.dialog).toHaveCount(0)
    }
  })

  test('are the page’s again once ⌘K has closed a menu', async ({ dashboard, page }) => {
    await dashboard.open()
    const account = page.getByRole('button', { name: /^Account menu/ })
    await account.press('Enter')
    await expect(page.getByRole('menuitem').first()).toBeFocused()
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox', { name: 'Search and commands' })).toBeFocused()
    await expect(page.getByRole('menu')).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(account).toBeFocused()
    await page.keyboard.press('c')
    await expect(dashboard.dialog).toHaveAccessibleName('Create link')
  })

  test('are shown by ?, and turned off there for good', async ({ dashboard, page }) => {
    await dashboard.open()
    await page.keyboard.press('?')
    await expect(dashboard.dialog).toHaveAccessibleName('Keyboard shortcuts')
    await expectClean(page)
    const told = page.waitForResponse((response) => response.url().endsWith('/account/preferences'))
    await dashboard.dialog.getByRole('switch').click()
    expect((await told).ok()).toBe(true)
    await page.keyboard.press('Escape')
    await expect(dashboard.dialog).toHaveCount(0)
    await page.keyboard.press('c')
    await page.reload()
    await dashboard.untilLoaded()
    await page.keyboard.press('c')
    // The way back is the menu's.
    await page.getByRole('button', { name: /^Account menu/ }).click()
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
    await expect(dashboard.dialog).toHaveAccessibleName('Keyboard shortcuts')
    await dashboard.dialog.getByRole('switch').click()
    await page.keyboard.press('Escape')
    await page.keyboard.press('c')
    await expect(dashboard.dialog).toHaveAccessibleName('Create link')
  })
})
