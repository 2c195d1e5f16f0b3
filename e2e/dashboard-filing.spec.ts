import { makeOwn } from './support/account'
import { expectClean } from './support/clean'
import { expect, test, uniqueCode } from './support/test'

test('a link is filed as it is created, found by its tag and folder, and filed differently', async ({ dashboard, page }) => {
  const [code, other] = [uniqueCode('filed'), uniqueCode('plain')]
  await makeOwn(page, { url: 'https://example.com/', code: other })
  await dashboard.open()
  await page.getByRole('button', { name: 'Create link' }).first().click()
  const { dialog } = dashboard
  await dialog.getByLabel('URL to shorten').fill('https://example.com/filed')
  await dialog.getByText('Options', { exact: true }).click()
  await dialog.getByLabel('Back-half').fill(code)
  const filing = dialog.getByText('Tags, folder and comment')
  const filed = dialog.locator('summary', { hasText: 'Tags, folder and comment' })
  await expect(filed.getByText('None', { exact: true })).toBeVisible()
  await expect(dialog.getByLabel('Tags', { exact: true })).toBeHidden()
  await filing.click()
  await dialog.getByLabel('Tags', { exact: true }).fill('Spring, Newsletter')
  await dialog.getByLabel('Folder', { exact: true }).fill('Clients')
  await dialog.getByLabel('Comment', { exact: true }).fill('For Mia')
  await filing.click()
  await expect(dialog.getByText('Spring, Newsletter · Clients · For Mia')).toBeVisible()
  await dialog.getByRole('button', { name: 'Shorten' }).click()
  await expect(dialog.getByText('Your short link is ready')).toBeVisible()
  await page.keyboard.press('Escape')

  await dashboard.row(code).getByRole('button', { name: 'Show links with the tag Spring' }).click()
  await expect(dashboard.rows).toHaveCount(1)
  await expect(page).toHaveURL(/tag=Spring/)
  await page.getByRole('button', { name: /Tag: Spring/ }).click()
  await expect(dashboard.rows).toHaveCount(2)
  await page.getByRole('button', { name: 'Filters', exact: true }).click()
  await dialog.getByLabel('Folder').selectOption('Clients')
  await expectClean(page)
  await dialog.getByRole('button', { name: 'Apply filters' }).click()
  await expect.poll(() => dashboard.codes()).toEqual([code])
  await page.getByRole('button', { name: /Folder: Clients/ }).click()

  await dashboard
    .row(code)
    .getByRole('button', { name: /^Edit / })
    .click()
  await dialog.getByText('Tags, folder and comment').click()
  await dialog.getByLabel('Tags', { exact: true }).fill('Summer')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dashboard.row(code).getByRole('button', { name: 'Show links with the tag Summer' })).toBeVisible()
  await expectClean(page)
})

test('favorites are a press away, and an archived link is out of the list while it redirects', async ({
  dashboard,
  page,
  statusOf,
}) => {
  const [kept, old] = [uniqueCode('kept'), uniqueCode('old')]
  await makeOwn(page, { url: 'https://example.com/', code: kept })
  const { shortUrl } = await makeOwn(page, { url: 'https://example.com/', code: old })
  await dashboard.open()
  await dashboard.choose(kept, 'Add to favorites')
  await expect(dashboard.row(kept).getByRole('img', { name: 'Favorite' })).toBeVisible()
  const favorites = page.getByRole('button', { name: 'Favorites' })
  await favorites.click()
  await expect(favorites).toHaveAttribute('aria-pressed', 'true')
  await expect.poll(() => dashboard.codes()).toEqual([kept])
  await favorites.click()
  await dashboard.choose(old, 'Archive')
  await expect.poll(() => dashboard.codes()).toEqual([kept])
  expect(await statusOf(shortUrl)).toBe(302)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(dashboard.rows).toHaveCount(2)
  await dashboard.choose(old, 'Archive')
  await expect.poll(() => dashboard.codes()).toEqual([kept])
  await dashboard.open('?archived=true')
  await expect.poll(() => dashboard.codes()).toEqual([old])
  await expect(dashboard.row(old).getByText('Archived', { exact: true })).toBeVisible()
})

test('many links are tagged, moved and archived at once', async ({ dashboard, page }) => {
  const codes = [uniqueCode('one'), uniqueCode('two')]
  for (const code of codes) await makeOwn(page, { url: 'https://example.com/', code })
  await dashboard.open()
  const { dialog, chosen } = dashboard
  await dashboard.tick(...codes)
  await chosen.getByRole('button', { name: 'Tags and folder' }).click()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect(dialog.getByText('Enter a name.')).toBeVisible()
  await dialog.getByLabel('Tags', { exact: true }).fill('Spring')
  await expectClean(page)
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await expect(page.getByText('2 links tagged')).toBeVisible()
  for (const code of codes) {
    await expect(dashboard.row(code).getByRole('button', { name: 'Show links with the tag Spring' })).toBeVisible()
  }
  await dashboard.tick(...codes)
  await chosen.getByRole('button', { name: 'Archive' }).click()
  await expect(page.getByText('2 links archived')).toBeVisible()
  await expect(dashboard.rows).toHaveCount(0)
})

test('a tag is renamed and deleted, on all its links', async ({ dashboard, page }) => {
  const code = uniqueCode('named')
  await dashboard.open()
  await page.getByRole('button', { name: 'Tags', exact: true }).click()
  await expect(page.getByText('You have no tags or folders yet')).toBeVisible()
  await page.keyboard.press('Escape')
  await makeOwn(page, { url: 'https://example.com/', code, tags: ['Spring', 'news'] })
  await dashboard.open()
  const tag = (name: string) => dashboard.row(code).getByRole('button', { name: `Show links with the tag ${name}` })
  await expect(tag('Spring')).toBeVisible()
  await page.getByRole('button', { name: 'Tags', exact: true }).click()
  await page.getByRole('button', { name: 'Rename Spring' }).click()
  const rename = page.getByRole('dialog', { name: 'Rename “Spring”' })
  await rename.getByRole('textbox', { name: 'Name' }).fill('NEWS')
  await rename.getByRole('button', { name: 'Rename' }).click()
  await expect(rename.getByText('There’s already one named “NEWS”')).toBeVisible()
  await rename.getByRole('textbox', { name: 'Name' }).fill('Summer')
  await rename.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('button', { name: 'Delete news' }).click()
  await page.getByRole('dialog', { name: 'Delete “news”?' }).getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('button', { name: 'Delete news' })).toHaveCount(0)
  await expectClean(page)
  await page.keyboard.press('Escape')
  await expect(tag('Summer')).toBeVisible()
  await expect(tag('news')).toHaveCount(0)
})
