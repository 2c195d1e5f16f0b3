import type { Page } from '@playwright/test'
import { makeOwn } from './support/account'
import { expectClean } from './support/clean'
import { expect, test, uniqueCode } from './support/test'

test('many links are deleted at once and brought back by Undo', async ({ dashboard, page, statusOf }) => {
  const codes = Array.from({ length: 5 }, () => uniqueCode('many'))
  const links: { shortUrl: string }[] = []
  for (const code of codes) links.push(await makeOwn(page, { url: 'https://example.com/', code }))
  const statuses = () => Promise.all(links.map(({ shortUrl }) => statusOf(shortUrl)))
  await dashboard.open()
  // The newest is on top: with Shift, from there to the fourth.
  await dashboard.rows.nth(0).getByRole('checkbox').click()
  await dashboard.rows
    .nth(3)
    .getByRole('checkbox')
    .click({ modifiers: ['Shift'] })
  await expect(dashboard.chosen).toContainText('4 selected')
  await dashboard.chosen.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('4 links deleted')).toBeVisible()
  await expect(dashboard.rows).toHaveCount(1)
  await expect(dashboard.chosen).toHaveCount(0)
  await expect.poll(statuses).toEqual([302, 410, 410, 410, 410])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('4 links restored')).toBeVisible()
  await expect(dashboard.rows).toHaveCount(5)
  await expect.poll(statuses).toEqual([302, 302, 302, 302, 302])
})

test('many links are turned off, turned on and restored at once', async ({ dashboard, page }) => {
  const codes = [uniqueCode('all'), uniqueCode('all')]
  for (const code of codes) await makeOwn(page, { url: 'https://example.com/', code })
  await dashboard.open()
  const all = page.getByRole('checkbox', { name: 'Select all on this page' })
  for (const [action, done, badges] of [
    ['Turn off', '2 links turned off', 2],
    ['Turn on', '2 links turned on', 0],
  ] as const) {
    await all.check()
    await dashboard.chosen.getByRole('button', { name: action }).click()
    await expect(page.getByText(done)).toBeVisible()
    await expect(dashboard.rows.getByText('Turned off')).toHaveCount(badges)
  }
  await all.check()
  await dashboard.chosen.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('No links yet')).toBeVisible()
  await dashboard.open('?state=deleted')
  await all.check()
  await expect(dashboard.chosen.getByRole('button', { name: 'Delete' })).toHaveCount(0)
  await dashboard.chosen.getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByText('No deleted links')).toBeVisible()
  await dashboard.open()
  await expect(dashboard.rows).toHaveCount(2)
})

test('what failed of a bulk action is named', async ({ dashboard, page }) => {
  const [kept, raced] = [uniqueCode('kept'), uniqueCode('raced')]
  await makeOwn(page, { url: 'https://example.com/', code: kept })
  await makeOwn(page, { url: 'https://example.com/', code: raced })
  await dashboard.open()
  await dashboard.tick(kept, raced)
  // On another device, in the meantime.
  expect((await page.request.delete(`/api/v1/links/${raced}`)).status()).toBe(204)
  await dashboard.chosen.getByRole('button', { name: 'Turn off' }).click()
  const failed = page.getByRole('region', { name: 'Failed' })
  await expect(failed).toBeVisible()
  await expect(failed.getByRole('listitem')).toHaveCount(1)
  await expect(page.getByText('1 link turned off')).toBeVisible()
})

/** The page has heard that a job is done. */
const jobDone = (page: Page) =>
  page.waitForResponse(
    async (answer) => answer.url().includes('/api/v1/jobs/') && ((await answer.json()) as { state: string }).state === 'done',
  )

test('all that match are deleted, those on other pages too, and brought back by Undo', async ({ dashboard, page }) => {
  const stem = uniqueCode('every')
  const codes = Array.from({ length: 26 }, (_, at) => `${stem}-${at}`)
  await Promise.all(codes.map((code) => makeOwn(page, { url: 'https://example.com/', code })))
  const other = uniqueCode('other')
  await makeOwn(page, { url: 'https://example.com/', code: other })
  await dashboard.open(`?q=${stem}`)
  const total = page.getByRole('status').filter({ hasText: /^26 links$/ })
  await expect(total).toBeVisible()
  // By keyboard: the bar is the next stop, and the cursor stays in it.
  const all = page.getByRole('checkbox', { name: 'Select all on this page' })
  await all.press('Space')
  await expect(dashboard.chosen).toContainText('25 selected')
  await page.keyboard.press('Escape')
  await expect(dashboard.chosen).toHaveCount(0)
  await expect(all).toBeFocused()
  await all.press('Space')
  await page.keyboard.press('Tab')
  await expect(dashboard.chosen.getByRole('button', { name: 'Select all 26 links' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dashboard.chosen).toContainText('All 26 links selected')
  for (const name of ['Tags and folder', 'QR codes', 'Turn on']) {
    await page.keyboard.press('Tab')
    await expect(dashboard.chosen.getByRole('button', { name })).toBeFocused()
  }
  await expectClean(page)
  await dashboard.chosen.getByRole('button', { name: 'Delete' }).click()
  await expect(dashboard.dialog).toHaveAccessibleName('Delete 26 links?')
  const deleted = jobDone(page)
  await dashboard.dialog.getByRole('button', { name: 'Delete' }).click()
  await deleted
  await expect(page.getByText('26 links deleted')).toBeVisible()
  await expect(page.getByText('No links match')).toBeVisible()
  const restored = jobDone(page)
  await page.getByRole('button', { name: 'Undo' }).click()
  await restored
  await expect(page.getByText('26 links restored')).toBeVisible()
  // What was said covers nothing that can be done next.
  await page.setViewportSize({ width: 360, height: 740 })
  await all.press('Space')
  await dashboard.chosen.getByRole('button', { name: 'Delete' }).click({ trial: true })
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(total).toBeVisible()
  await dashboard.open()
  await expect(page.getByRole('status').filter({ hasText: /^27 links$/ })).toBeVisible()
})
