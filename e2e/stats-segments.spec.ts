import { expectClean } from './support/clean'
import { clickLink, StatsPage } from './support/stats-page'
import { expect, test } from './support/test'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('filters are saved under a name, and serve every link in this browser', async ({ page, request, makeLink }) => {
  const stats = new StatsPage(page)
  const [link, other] = [await makeLink({ url: 'https://example.com/' }), await makeLink({ url: 'https://example.com/' })]
  for (const one of [link, other]) await clickLink(request, one, [{}, { agent: 'chrome' }])
  const segments = page.getByRole('button', { name: 'Segments' })
  await stats.open(link)
  await segments.click()
  await expect(stats.dialog).toContainText('Filter the statistics first')
  await expectClean(page)
  await page.keyboard.press('Escape')

  await stats.row('Browser', 'Firefox').click()
  await expect(stats.filters).toHaveCount(1)
  await segments.click()
  await stats.dialog.getByLabel('Save the current filters as').fill('Foxes')
  await page.keyboard.press('Enter')
  await expect(stats.dialog.getByRole('button', { name: 'Foxes', exact: true })).toHaveAttribute('aria-pressed', 'true')
  await expectClean(page)

  await stats.open(other, '?range=7d')
  await segments.click()
  await stats.dialog.getByRole('button', { name: 'Foxes', exact: true }).click()
  await expect(page).toHaveURL(stats.path(other, '?range=7d&browser=Firefox'))
  await expect(stats.filters).toHaveText(['Browser:Firefox'])

  await segments.click()
  await stats.dialog.getByRole('button', { name: 'Delete the segment Foxes' }).click()
  await expect(stats.dialog.getByRole('button', { name: 'Foxes', exact: true })).toHaveCount(0)
  await stats.dialog.getByRole('button', { name: 'Undo' }).click()
  await expect(stats.dialog.getByRole('button', { name: 'Foxes', exact: true })).toBeVisible()
})
