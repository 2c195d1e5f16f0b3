import type { Page } from '@playwright/test'
import { signUp } from './support/account'
import { expect, test } from './support/test'

const LIGHT = 'rgb(248, 248, 246)'
const DARK = 'rgb(17, 19, 22)'

const ground = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)

test('a stranger chooses light or dark in the footer; the server writes the next page so', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/')
  expect(await ground(page)).toBe(LIGHT)
  const theme = page.getByRole('combobox', { name: 'Theme' })
  await expect(theme).toHaveValue('system')
  await theme.selectOption('Dark')
  await expect.poll(() => ground(page)).toBe(DARK)

  // As it is sent, before any script has run.
  const html = await (await page.request.get('/report')).text()
  expect(html).toContain('data-scheme="dark"')
  expect(html).toContain('<meta name="color-scheme" content="dark"/>')
  await page.goto('/report')
  await expect(theme).toHaveValue('dark')
  expect(await ground(page)).toBe(DARK)

  await page.emulateMedia({ colorScheme: 'dark' })
  await theme.selectOption('Light')
  await expect.poll(() => ground(page)).toBe(LIGHT)
  await theme.selectOption('System')
  await expect.poll(() => ground(page)).toBe(DARK)
})

test('who is signed in chooses it in the account menu, and goes on with what was typed', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' })
  await signUp(page)
  await page.goto('/report')
  await page.getByLabel('Details').fill('Typed before')
  await page.getByRole('button', { name: /^Account menu: / }).click()
  await expect(page.getByRole('menuitemradio', { name: 'System' })).toBeChecked()
  await page.getByRole('menuitemradio', { name: 'Dark' }).click()
  await expect(page.getByRole('menuitemradio', { name: 'Dark' })).toBeChecked()
  await expect.poll(() => ground(page)).toBe(DARK)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('combobox', { name: 'Theme' })).toHaveValue('dark')
  await expect(page.getByLabel('Details')).toHaveValue('Typed before')
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })

  test('the footer asks the server', async ({ page }) => {
    await page.goto('/report?link=abc')
    await page.getByRole('combobox', { name: 'Theme' }).selectOption('Dark')
    await page.getByRole('contentinfo').getByRole('button', { name: 'Change' }).last().click()
    await expect(page).toHaveURL(/\/report\?link=abc$/)
    await expect(page.locator('html')).toHaveAttribute('data-scheme', 'dark')
  })
})
