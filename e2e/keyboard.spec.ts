import { makeOwn, signUp } from './support/account'
import { expect, test, uniqueCode } from './support/test'

test('the whole main job works by keyboard alone', async ({ front, page, destination }) => {
  const code = uniqueCode('keys')
  const press = (key: string) => page.keyboard.press(key)
  const focused = page.locator(':focus')

  // The cursor is where the URL goes; the options follow.
  await expect(front.url).toBeFocused()
  await page.keyboard.type(`${destination}/keys`)
  await press('Tab')
  await expect(front.shorten).toBeFocused()
  await press('Tab')
  await expect(focused).toHaveText('Options')
  await press('Enter')
  await press('Tab')
  await expect(front.code).toBeFocused()
  await page.keyboard.type(code)
  await press('Enter')

  await expect(front.result.getByRole('button', { name: /^Copy/ })).toBeFocused()
  await press('Space')
  expect(await front.clipboard()).toContain(code)

  // The QR code, and back to where it was opened.
  await press('Tab')
  await expect(focused).toHaveText('QR code')
  await press('Enter')
  await expect(front.dialog.getByRole('img')).toBeVisible()
  await press('Escape')
  await expect(focused).toHaveText('QR code')

  // On to the list: copy, QR code, statistics, edit, delete.
  await press('Tab')
  await expect(focused).toHaveText('Statistics')
  await press('Tab')
  await expect(focused).toHaveText('Shorten another')
  await press('Tab')
  await expect(focused).toHaveAttribute('href', new RegExp(code))
  for (const name of ['Copy', 'QR code for', 'Statistics for', 'Edit']) {
    await press('Tab')
    await expect(focused).toHaveAccessibleName(new RegExp(`^${name} .*${code}`))
  }
  await press('Enter')
  await expect(front.dialog.getByLabel('Destination')).toBeFocused()
  await press('Tab')
  await page.keyboard.type('By keyboard')
  await press('Enter')
  await expect(front.dialog).toBeHidden()
  await expect(front.rows.first()).toContainText('By keyboard')
  await expect(focused).toHaveAccessibleName(new RegExp(`^Edit .*${code}`))

  await press('Tab')
  await press('Enter')
  await expect(front.rows).toHaveCount(0)
  // To the toasts, and through them.
  const undo = page.getByRole('button', { name: 'Undo' })
  await expect(undo).toBeVisible()
  await press('Alt+KeyT')
  for (let stop = 0; stop < 5 && (await focused.textContent()) !== 'Undo'; stop++) await press('Tab')
  await expect(undo).toBeFocused()
  await press('Enter')
  await expect(front.rows).toHaveCount(1)
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
  await expect(dashboard.chosen).toContainText('1 selected')
  await press('Space')
  await expect(dashboard.chosen).toHaveCount(0)
  for (const name of [/^http|\/keys/, /^\d/, /^Copy/, /^Edit/, /^More actions for/]) {
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
  await expect(focused).toHaveAccessibleName(/^More actions for/)
  await press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeFocused()
  await press('End')
  await expect(focused).toHaveText('Delete')
  await press('Enter')
  await expect(page.getByText('No links match')).toBeVisible()
  await expect(dashboard.title).toBeFocused()

  const [above, below] = [uniqueCode('above'), uniqueCode('below')]
  for (const one of [below, uniqueCode('between'), above]) await makeOwn(page, { url: 'https://example.com/', code: one })
  await dashboard.open()
  await dashboard.rows
    .nth(1)
    .getByRole('button', { name: /^More actions for/ })
    .press('Enter')
  await press('End')
  await press('Enter')
  await expect(dashboard.rows).toHaveCount(2)
  await expect(dashboard.row(below)).toBeFocused()
})

test('the first stop of a page skips to its content', async ({ page }) => {
  await page.goto('/docs')
  await page.keyboard.press('Tab')
  await expect(page.locator(':focus')).toHaveText('Skip to content')
  await page.keyboard.press('Enter')
  await expect(page.locator('main')).toBeFocused()
})

test('a menu takes the cursor when it opens again, also when it was closed before it began to fade in', async ({ page }) => {
  await signUp(page)
  await makeOwn(page, { url: 'https://example.com/', code: uniqueCode('menu') })
  await page.goto('/dashboard')
  // The fade is held back, as by a browser that is busy: the keys are faster than it.
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('[role=menu] { animation-delay: 60s !important }')
    document.adoptedStyleSheets = [sheet]
  })
  const trigger = page.getByRole('button', { name: /^More actions for / })
  const items = page.getByRole('menuitem')
  await trigger.focus()
  await page.keyboard.press('Enter')
  await expect(items.first()).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(trigger).toBeFocused()
  await expect(items).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(items.first()).toBeFocused()

  // With its button it goes out of sight: what it does would be done to something that one does not see.
  await page.setViewportSize({ width: 360, height: 320 })
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await page.evaluate(() => window.scrollTo(0, 0))
  await expect(items).toHaveCount(0)
  await expect(trigger).toBeFocused()
})
