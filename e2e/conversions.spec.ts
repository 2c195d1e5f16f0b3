import type { Page } from '@playwright/test'
import { makeOwn } from './support/account'
import { expectClean } from './support/clean'
import { AGENTS, StatsPage } from './support/stats-page'
import { ANY_SIZE, expect, test, uniqueCode } from './support/test'

/** Follows a link as a person. @returns the ID of the click */
async function follow(page: Page, shortUrl: string, parameter: string): Promise<string> {
  const answer = await page.request.get(shortUrl, { maxRedirects: 0, headers: { 'User-Agent': AGENTS.firefox } })
  return new URL(answer.headers().location ?? '').searchParams.get(parameter) ?? ''
}

test('a click ID is added by the form, and given to those who follow the link', async ({ dashboard, page }) => {
  const code = uniqueCode('ids')
  await dashboard.open()
  await page.getByRole('button', { name: 'Create link' }).first().click()
  const { dialog } = dashboard
  await dialog.getByLabel('URL to shorten').fill('https://example.com/shop')
  await dialog.getByText('Options', { exact: true }).click()
  await dialog.getByLabel('Back-half').fill(code)
  const rules = dialog.getByRole('group', { name: 'Rules' })
  await rules.getByRole('button', { name: 'Edit rules' }).click()
  await rules.getByLabel('Add a click ID to the destination').check()
  const parameter = rules.getByLabel('Query parameter of the click ID')
  await expect(parameter).toHaveValue('click_id')
  await parameter.fill('no spaces')
  await dialog.getByRole('button', { name: 'Shorten' }).click()
  await expect(rules).toContainText('Use 1 to 40 letters, digits, or . _ ~ -')
  await parameter.fill('tid')
  await expectClean(page)
  await dialog.getByRole('button', { name: 'Shorten' }).click()
  await expect(dialog.getByRole('link', { name: new RegExp(code) })).toBeVisible()
  const made = await (await page.request.get(`/api/v1/links/${code}`)).json()
  expect(made.routing).toEqual({ clickId: { parameter: 'tid' } })
  expect(await follow(page, made.shortUrl, 'tid')).toMatch(/^[\w-]{52}$/)
})

test('the preview page says that a click ID is added', { tag: ANY_SIZE }, async ({ makeLink, page }) => {
  const { shortUrl } = await makeLink({ url: 'https://example.com/', routing: { clickId: {} } })
  await page.goto(`${shortUrl}+`)
  await expect(page.getByText('An ID of the click is added to the destination')).toBeVisible()
})

test('conversions, their rate and revenue stand beside clicks, by event and destination', async ({ dashboard, page }) => {
  await dashboard.open()
  const variants = [
    { url: 'https://example.com/a', weight: 99 },
    { url: 'https://example.com/b', weight: 1 },
  ]
  const routing = { split: { variants }, clickId: {} }
  const link = await makeOwn(page, { url: 'https://example.com/', code: uniqueCode('sales'), routing })
  const one = await follow(page, link.shortUrl, 'click_id')
  const two = await follow(page, link.shortUrl, 'click_id')
  await follow(page, link.shortUrl, 'click_id')
  await follow(page, link.shortUrl, 'click_id')
  await expect.poll(async () => (await (await page.request.get(`/api/v1/links/${link.code}`)).json()).clicks).toBe(4)
  const conversions = [
    { clickId: one, name: 'purchase', value: '1234.5', currency: 'EUR' },
    { clickId: one, name: 'sign-up' },
    { clickId: two, name: 'purchase', value: '2000', currency: 'JPY' },
    { clickId: two, name: 'refund', value: '-34.5', currency: 'EUR' },
  ]
  const answer = await page.request.post('/api/v1/conversions', { data: { conversions } })
  expect(await answer.json()).toMatchObject({ counted: 4, refused: 0 })
  const stats = new StatsPage(page)
  await page.goto(`/stats/${link.code}`)
  await expect(stats.total('Clicks')).toContainText('4')
  await expect(stats.total('Conversions')).toContainText('3')
  await expect(stats.total('Conversion rate')).toContainText('50%')
  await expect(stats.total('Revenue')).toContainText('€1,200.00')
  const card = stats.region('Conversions')
  await expect(card.getByRole('list', { name: 'By event' }).getByRole('listitem').first()).toContainText('purchase')
  await expect(card.getByRole('list', { name: 'By destination' }).getByRole('listitem').first()).toContainText('50% converted')
  await expectClean(page)
})
