import type { Page } from '@playwright/test'
import { makeOwn } from './support/account'
import { expectClean } from './support/clean'
import { expect, test, uniqueCode } from './support/test'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

/** Does something that the account is told of, and waits until it has been. */
async function kept(page: Page, act: () => Promise<unknown>): Promise<void> {
  const told = page.waitForResponse(
    (response) => response.request().method() === 'PATCH' && response.url().endsWith('/preferences'),
  )
  await act()
  expect((await told).ok()).toBe(true)
}

test('cards and chosen columns are kept, and the server writes them so', async ({ dashboard, page }) => {
  const code = uniqueCode('look')
  await makeOwn(page, { url: 'https://example.com/', code, title: 'How it looks' })
  await makeOwn(page, { url: 'https://example.com/', code: `${code}-2`, password: 'secret' })
  await dashboard.open()
  const display = page.getByRole('button', { name: 'Display' })
  await display.click()
  await kept(page, () => page.getByRole('menuitemradio', { name: 'Cards' }).click())
  await kept(page, () => page.getByRole('menuitemcheckbox', { name: 'Created' }).click())
  await expectClean(page)
  await page.keyboard.press('Escape')
  const [one, two] = [await dashboard.rows.nth(0).boundingBox(), await dashboard.rows.nth(1).boundingBox()]
  expect(two?.y).toBe(one?.y)
  // Each thing has its place, whatever else a card says.
  await page.getByRole('button', { name: 'Display' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Created' }).click()
  await page.keyboard.press('Escape')
  const places = (of: string) =>
    dashboard.rows.evaluateAll((rows, selector) => {
      const inside = (row: Element) => ({
        row: row.getBoundingClientRect(),
        part: row.querySelector(selector)?.getBoundingClientRect(),
      })
      return rows.map(inside).map(({ row, part }) => part && [Math.round(row.right - part.right), Math.round(part.top - row.top)])
    }, of)
  const [first, ...others] = await places('time')
  expect(first).toBeDefined()
  for (const other of others) expect(other).toEqual(first)
  // There is no head to sort by.
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Oldest first')
  await expect(page).toHaveURL(/\?sort=oldest$/)
  await expect.poll(() => dashboard.codes()).toEqual([code, `${code}-2`])
  await expectClean(page)
  await display.click()
  await page.getByRole('menuitemcheckbox', { name: 'Created' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Created' })).toHaveCount(0)

  // What the server sends is that look already.
  const html = await (await page.request.get('/dashboard')).text()
  expect(html).toContain('data-cards="true"')
  await page.reload()
  await dashboard.untilLoaded()
  await expect(page.getByRole('button', { name: 'Created' })).toHaveCount(0)
  await page.setViewportSize({ width: 360, height: 740 })
  await expect(dashboard.row(code)).toContainText('How it looks')
})

test('a view is saved under a name: search, filters, order and look', async ({ dashboard, page }) => {
  const code = uniqueCode('view')
  await makeOwn(page, { url: 'https://example.com/', code })
  await dashboard.open()
  // Filters by keyboard.
  await page.keyboard.press('f')
  await expect(dashboard.dialog).toHaveAccessibleName('Filters')
  await dashboard.dialog.getByLabel('Minimum clicks').fill('0')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Display' }).click()
  await page.getByRole('menuitemradio', { name: 'Cards' }).click()
  await page.keyboard.press('Escape')
  await page.keyboard.press('v')
  await expect(dashboard.dialog).toHaveAccessibleName('Views')
  await dashboard.dialog.getByLabel('Save the current view as').fill('All of them')
  await page.keyboard.press('Enter')
  const view = dashboard.dialog.getByRole('button', { name: 'All of them', exact: true })
  await expect(view).toHaveAttribute('aria-pressed', 'true')
  // It says so, and does not offer to save the same again.
  await expect(dashboard.dialog.getByRole('status')).toHaveText('All of them saved')
  await expect(dashboard.dialog.getByLabel('Save the current view as')).toHaveCount(0)
  await expectClean(page)
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Display' }).click()
  await kept(page, () => page.getByRole('menuitemradio', { name: 'Rows' }).click())
  await page.keyboard.press('Escape')
  await dashboard.open('?sort=oldest')
  await expect(page.locator('[data-cards]')).toHaveCount(0)
  await page.getByRole('button', { name: 'Views' }).click()
  await view.click()
  await expect(page).toHaveURL(/\?minClicks=0$/)
  await expect(page.locator('[data-cards]')).toHaveCount(1)

  const renamed = dashboard.dialog.getByRole('button', { name: 'ALL OF THEM', exact: true })
  // Another view of the same name, however it is written, takes its place.
  await page.getByRole('button', { name: 'Display' }).click()
  await page.getByRole('menuitemradio', { name: 'Rows' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Views' }).click()
  await dashboard.dialog.getByLabel('Save the current view as').fill('ALL OF THEM')
  await page.keyboard.press('Enter')
  await expect(dashboard.dialog.getByRole('listitem')).toHaveText(['ALL OF THEM'])
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Views' }).click()
  await dashboard.dialog.getByRole('button', { name: 'Delete view: ALL OF THEM' }).click()
  await expect(renamed).toHaveCount(0)
  await dashboard.dialog.getByRole('button', { name: 'Undo' }).click()
  await expect(renamed).toBeVisible()
})

test('what was kept in one browser is handed on to the account, and is there in another one', async ({
  dashboard,
  page,
  browser,
}) => {
  await makeOwn(page, { url: 'https://example.com/', code: uniqueCode('over') })
  // As an earlier version left it.
  await page.goto('/docs')
  await page.evaluate(() => {
    localStorage.setItem('terse:link-views', JSON.stringify([{ name: 'Never clicked', query: 'maxClicks=0&look=rows.clicks' }]))
    localStorage.setItem('terse:single-keys', 'off')
    // biome-ignore lint/suspicious/noDocumentCookie: as the app set it
    document.cookie = 'links-look=cards.clicks.state; Path=/'
  })
  const preferences = async () => (await page.request.get('/api/v1/account/preferences')).json()
  await dashboard.open()
  await expect(page.locator('[data-cards]')).toHaveCount(1)
  await expect.poll(preferences).toEqual({
    look: { layout: 'cards', columns: ['clicks', 'state'] },
    singleKeys: false,
    views: [{ name: 'Never clicked', query: 'maxClicks=0&look=rows.clicks' }],
  })
  await expect.poll(() => page.evaluate(() => localStorage.getItem('terse:link-views'))).toBeNull()

  const cookies = (await page.context().cookies()).filter(({ name }) => name !== 'links-look')
  const elsewhere = await browser.newContext()
  await elsewhere.addCookies(cookies)
  const other = await elsewhere.newPage()
  await other.goto('/dashboard')
  await expect(other.locator('[data-cards]')).toHaveCount(1)
  const views = other.getByRole('button', { name: 'Views' })
  await views.click()
  await other.keyboard.press('Escape')
  await expect(other.getByRole('dialog')).toHaveCount(0)
  // Single keys are off here, too.
  await other.keyboard.press('v')
  await expect(other.getByRole('dialog')).toHaveCount(0)
  await views.click()
  await other.getByRole('button', { name: 'Never clicked', exact: true }).click()
  await expect(other).toHaveURL(/\?maxClicks=0$/)
  await elsewhere.close()

  const plain = await browser.newContext({ javaScriptEnabled: false })
  await plain.addCookies(cookies)
  const page3 = await plain.newPage()
  await page3.goto('/dashboard')
  await page3.getByRole('navigation', { name: 'Saved views' }).getByRole('link', { name: 'Never clicked' }).click()
  await expect(page3).toHaveURL(/\?maxClicks=0&look=rows\.clicks$/)
  await plain.close()
})
