import { expectClean } from './support/clean'
import { clickLink, StatsPage } from './support/stats-page'
import { expect, test } from './support/test'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('what happened is noted on the chart, listed, deleted and restored', async ({ page, request, makeLink }) => {
  const stats = new StatsPage(page)
  const link = await makeLink({ url: 'https://example.com/' })
  await clickLink(request, link, [{}])
  await stats.open(link)
  await page.getByRole('button', { name: 'Add note' }).click()
  await stats.dialog.getByRole('button', { name: 'Add note' }).click()
  await expect(stats.dialog.getByLabel('What happened')).toHaveAttribute('aria-invalid', 'true')
  await stats.dialog.getByLabel('What happened').fill('Newsletter sent')
  await expectClean(page)
  await page.keyboard.press('Enter')
  await expect(stats.dialog).toHaveCount(0)

  const notes = page.getByRole('list', { name: 'Notes' }).getByRole('listitem')
  await expect(notes).toContainText(['Newsletter sent'])
  const chart = stats
    .region('Clicks over time')
    .locator('svg')
    .filter({ has: page.locator('circle') })
  await expect(chart.getByText('1', { exact: true }).last()).toBeAttached()
  await expectClean(page)
  await page.reload()
  await stats.untilLoaded()
  await expect(notes).toContainText(['Newsletter sent'])

  await page.getByRole('button', { name: 'Delete note: Newsletter sent' }).click()
  await expect(notes).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(notes).toContainText(['Newsletter sent'])

  // Notes of other times are not in the way.
  await page.goto(stats.path(link, '?from=2020-01-01T00:00:00Z&to=2020-02-01T00:00:00Z'))
  await page.getByRole('button', { name: 'Show all time' }).click()
  await expect(notes).toHaveCount(1)
})
