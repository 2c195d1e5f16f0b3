import { expectClean } from './support/clean'
import { clickLink, StatsPage } from './support/stats-page'
import { expect, test } from './support/test'

test.use({ contextOptions: { reducedMotion: 'reduce' } })

test('filters are saved under a name, and serve every link in this browser', async ({ page, request, makeLink }) => {
  const stats = new StatsPage(page)
  const [link, other] = [await makeLink({ url: 'https://example.com/' }), await makeLink({ url: 'https://example.com/' })]
  await clickLink(request, other, [{}])
  const segments = page.getByRole('button', { name: 'Segments' })
  await clickLink(request, link, [{}])
  await stats.open(link, '?browser=Firefox')
  await segments.click()
  await stats.dialog.getByLabel('Save the current filters as').fill('Foxes')
  await page.keyboard.press('Enter')
  await expect(stats.dialog.getByRole('button', { name: 'Foxes', exact: true })).toHaveAttribute('aria-pressed', 'true')

  await stats.open(other, '?range=7d')
  await segments.click()
  await stats.dialog.getByRole('button', { name: 'Foxes', exact: true }).click()
  await expect(page).toHaveURL(stats.path(other, '?range=7d&browser=Firefox'))
  await expect(stats.filters).toHaveText(['Browser:Firefox'])
})

test('a segment is deleted and restored', async ({ page, request, makeLink }) => {
  const stats = new StatsPage(page)
  const link = await makeLink({ url: 'https://example.com/' })
  await clickLink(request, link, [{}])
  await stats.open(link, '?browser=Firefox')
  await page.getByRole('button', { name: 'Segments' }).click()
  await stats.dialog.getByLabel('Save the current filters as').fill('Foxes')
  await page.keyboard.press('Enter')
  await stats.dialog.getByRole('button', { name: 'Delete segment: Foxes' }).click()
  await expect(stats.dialog.getByRole('button', { name: 'Foxes', exact: true })).toHaveCount(0)
  await stats.dialog.getByRole('button', { name: 'Undo' }).click()
  await expect(stats.dialog.getByRole('button', { name: 'Foxes', exact: true })).toBeVisible()
  await expectClean(page)
})
