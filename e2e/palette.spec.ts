import { makeOwn } from './support/account'
import { expectClean } from './support/clean'
import { holdScripts } from './support/late-scripts'
import { expect, test, uniqueCode } from './support/test'

test('⌘K goes to any page and finds any link, by keyboard alone', async ({ dashboard, page }) => {
  const code = uniqueCode('needle')
  await makeOwn(page, { url: 'https://example.com/', code, title: 'A needle' })
  for (let count = 1; count <= 7; count++) await makeOwn(page, { url: 'https://example.com/', title: 'Some hay' })
  await page.goto('/dashboard/settings')
  const account = page.getByRole('button', { name: /^Account menu/ })
  await expect(account).toBeEnabled()
  await account.focus()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Search and commands' })
  const options = page.getByRole('option')
  await expect(field).toBeFocused()
  await expectClean(page)
  // An account that is no admin is offered no page of theirs.
  await expect(options.filter({ hasText: 'Blocklist' })).toHaveCount(0)
  await field.fill('hay')
  await expect(options).toHaveText([...Array<RegExp>(6).fill(/Some hay/), 'Show all 7 in the list'])
  for (const [words, found] of [
    ['secu', 'Security'],
    ['2fa', 'Security'],
    ['dark', 'Theme'],
    ['log out', 'Sign out'],
    ['csv', 'Import links'],
  ] as const) {
    await field.fill(words)
    await expect(options.first()).toContainText(found)
  }
  await page.keyboard.press('Enter')
  await expect(dashboard.dialog).toHaveAccessibleName('Import links')
  await page.keyboard.press('Escape')
  await page.goto('/dashboard/settings')
  await expect(account).toBeEnabled()
  await account.focus()
  await page.keyboard.press('Control+k')
  await page.keyboard.press('Escape')
  await expect(account).toBeFocused()

  await page.keyboard.press('Control+k')
  // The answers to what was typed before come after this one, and are not heard.
  await page.route('**/api/v1/links?*', async (route) => {
    const { searchParams } = new URL(route.request().url())
    if (searchParams.get('q') === 'a') return
    await route.continue()
  })
  await page.keyboard.type('a')
  await page.waitForRequest((request) => request.url().includes('q=a&'))
  await field.fill(code)
  await expect(options).toHaveCount(1)
  await expect(options).toContainText('A needle')
  await expect(options).toHaveAttribute('aria-selected', 'true')
  await expectClean(page)
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText(/^Copied /)).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(code)

  await page.keyboard.press('Control+k')
  await page.keyboard.type(code)
  await expect(options).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/stats/${code}$`))
  await page.getByRole('button', { name: 'Search and commands' }).click()
  await page.keyboard.type('overview')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/dashboard\/overview$/)
  await expect(dashboard.dialog).toHaveCount(0)
})

test('the palette creates from the clipboard, copies what it made, and takes it back', async ({ dashboard, page }) => {
  await dashboard.open()
  const put = (text: string) => page.evaluate((value) => navigator.clipboard.writeText(value), text)
  const choose = async () => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type('clipboard')
    await page.getByRole('option', { name: /^Create link from clipboard/ }).click()
  }
  await put('https://example.com/from-the-clipboard')
  await choose()
  await expect(dashboard.rows).toHaveCount(1)
  await expect(dashboard.rows).toContainText('from-the-clipboard')
  await expect(page.getByText(/^Created and copied /)).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).not.toContain('example.com/from')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(dashboard.rows).toHaveCount(0)

  await put('no address')
  await choose()
  await expect(dashboard.dialog).toHaveAccessibleName('Create link')
  await expect(dashboard.dialog.getByLabel('URL to shorten')).toHaveValue('')
  await expect(dashboard.dialog).toHaveAccessibleDescription('There’s no URL on the clipboard.')
  await expectClean(page)
})

test('nothing of the palette is loaded before it is asked for, and strangers have none', async ({ dashboard, page }) => {
  const scripts: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(request.url())
  })
  await dashboard.open()
  await page.waitForLoadState('networkidle')
  const before = scripts.length
  // What is typed before it has come is kept for it, and none of it is a single key.
  const arrive = await holdScripts(page)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('c?')
  arrive()
  await expect(page.getByRole('combobox', { name: 'Search and commands' })).toHaveValue('c?')
  await expect(dashboard.dialog).toHaveCount(1)
  expect(scripts.length).toBeGreaterThan(before)
  await page.keyboard.press('Escape')
  await page.context().clearCookies()
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Search and commands' })).toHaveCount(0)
})
