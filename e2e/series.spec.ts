import type { Page } from '@playwright/test'
import { signUp } from './support/account'
import { expectClean } from './support/clean'
import { BASE_URL } from './support/settings'
import { ANY_SIZE, expect, test, uniqueCode } from './support/test'

const dialogOf = (page: Page) => page.getByRole('dialog')
const card = (page: Page, name: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })

async function create(page: Page, body: Record<string, unknown>): Promise<void> {
  const answer = await page.request.post('/api/v1/series', { headers: { Origin: BASE_URL }, data: body })
  expect(answer.status()).toBe(201)
}

test('a series is created, previewed, drawn from, and becomes links', async ({ page, statusOf }) => {
  await signUp(page)
  await page.goto('/dashboard/series')
  await expect(page.getByText('No series yet')).toBeVisible()
  await expectClean(page)
  await page.getByRole('button', { name: 'Create series' }).click()
  const dialog = dialogOf(page)
  const prefix = `${uniqueCode('t')}-`.slice(-18)
  await dialog.getByLabel('Name').fill('tickets')
  await dialog.getByLabel('Last number').fill('100')
  await dialog.getByLabel('Prefix').fill(prefix)
  await dialog.getByLabel('Digits', { exact: true }).fill('3')
  await dialog.getByLabel('Check digits').selectOption({ label: 'One, by Luhn' })
  await expect(dialog.getByText(`${prefix}001`)).toBeVisible()
  await expectClean(page)
  // A step that never reaches the end is said at its field, and nothing is created.
  await dialog.getByLabel('Step').fill('7')
  await dialog.getByRole('button', { name: 'Create series' }).click()
  await expect(dialog.getByText('never reaches 100')).toBeVisible()
  await expect(dialog.getByLabel('Step')).toBeFocused()
  await expectClean(page)
  await dialog.getByLabel('Step').fill('1')
  await dialog.getByRole('button', { name: 'Create series' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(card(page, 'tickets')).toContainText('From 1 to 100.')
  // Without the toast, which lies over the foot of a short page for a while.
  await page.reload()
  await expect(card(page, 'tickets')).toContainText('100 of 100 left')
  await expectClean(page)

  await card(page, 'tickets').getByRole('button', { name: 'Draw numbers' }).click()
  await expect(dialog.getByRole('listitem')).toHaveCount(10)
  await expect(dialog.getByText('100 left')).toBeVisible()
  const first = await dialog.getByRole('listitem').first().textContent()
  await expectClean(page)
  await dialog.getByLabel('How many to draw').fill('2')
  await dialog.getByRole('button', { name: 'Draw numbers' }).click()
  await expect(dialog.getByRole('textbox', { name: '2 numbers drawn' })).toHaveValue(new RegExp(`^${first}\n`))
  await expectClean(page)
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  await card(page, 'tickets').getByRole('button', { name: 'Create links' }).click()
  await dialog.getByLabel('Destination').fill('https://example.com/none')
  await dialog.getByRole('button', { name: 'Create links' }).click()
  await expect(dialog.getByLabel('Destination')).toHaveAttribute('aria-invalid', 'true')
  await dialog.getByLabel('Destination').fill('https://example.com/seat/{number}')
  await dialog.getByLabel('How many links').fill('3')
  await dialog.getByText('Tags, folder and comment').click()
  await dialog.getByLabel('Tags').fill('Fair, Spring')
  await dialog.getByLabel('Folder').fill('Seats')
  await dialog.getByRole('button', { name: '30 days' }).click()
  await expectClean(page)
  await dialog.getByRole('button', { name: 'Create links' }).click()
  await expect(dialog.getByText('3 of 3')).toBeVisible()
  await expectClean(page)
  // The first two were drawn before.
  const { links } = (await (await page.request.get('/api/v1/links')).json()) as {
    links: { code: string; shortUrl: string; tags: string[]; folder: string; expiresAt: string }[]
  }
  expect(links).toHaveLength(3)
  for (const { code, shortUrl, tags, folder, expiresAt } of links) {
    expect({ tags, folder }).toEqual({ tags: ['Fair', 'Spring'], folder: 'Seats' })
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now() + 29 * 86_400_000)
    expect(code).toMatch(new RegExp(`^${prefix}00[345]\\d$`))
    expect(await statusOf(shortUrl)).toBe(302)
  }
})

test('a series as it is proposed creates links, and one whose numbers cannot be back-halves says so', async ({ page }) => {
  await signUp(page)
  await page.goto('/dashboard/series')
  await page.getByRole('button', { name: 'Create series' }).first().click()
  const dialog = dialogOf(page)
  const name = uniqueCode('tables').toLowerCase().slice(0, 18)
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Last number').fill('2')
  await expect(dialog.getByText(`${name}-00001`)).toBeVisible()
  // What is typed stays as it is.
  await dialog.getByLabel('Prefix').fill('')
  await expect(dialog.getByText('00001 can’t be a back-half here.')).toBeVisible()
  await expectClean(page)
  await dialog.getByLabel('Prefix').fill(`${name}-`)
  await dialog.getByRole('button', { name: 'Create series' }).click()
  await card(page, name).getByRole('button', { name: 'Create links' }).click()
  await dialog.getByLabel('Destination').fill('https://example.com/table/{number}')
  await dialog.getByLabel('How many links').fill('2')
  await dialog.getByRole('button', { name: 'Create links' }).click()
  await expect(dialog.getByText('2 of 2')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(card(page, name)).toContainText('0 of 2 left')
  await create(page, { name: 'digits', kind: 'cycle', max: 9 })
  await page.reload()
  await expect(card(page, 'digits')).toContainText('00001 can’t be a back-half here.')
  await expect(card(page, 'digits').getByRole('button', { name: 'Create links' })).toBeDisabled()
  await expectClean(page)
})

test('a series warns before it ends, and says when it has', async ({ page }) => {
  await signUp(page)
  await create(page, { name: 'short', kind: 'cycle', max: 2 })
  await page.goto('/dashboard/series')
  await card(page, 'short').getByRole('button', { name: 'Draw numbers' }).click()
  const dialog = dialogOf(page)
  await expect(dialog.getByText('Only 2 numbers are left.')).toBeVisible()
  await dialog.getByLabel('How many to draw').fill('3')
  await dialog.getByRole('button', { name: 'Draw numbers' }).click()
  await expect(dialog.getByText('only 2 numbers left')).toBeVisible()
  await dialog.getByLabel('How many to draw').fill('2')
  await dialog.getByRole('button', { name: 'Draw numbers' }).click()
  await expect(dialog.getByText('All numbers are drawn.')).toBeVisible()
  await expectClean(page)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(card(page, 'short')).toContainText('Used up')
  await expect(card(page, 'short')).toContainText('0 of 2 left')
  await expect(card(page, 'short').getByRole('button', { name: 'Create links' })).toBeDisabled()
  await card(page, 'short').getByRole('button', { name: 'Draw numbers' }).click()
  await expect(dialog.getByText('All 2 numbers are drawn.')).toBeVisible()
  await expect(dialog.getByLabel('How many to draw')).toHaveCount(0)
  await expectClean(page)
})

test('each kind can be created, and deleted', { tag: ANY_SIZE }, async ({ page }) => {
  await signUp(page)
  await page.goto('/dashboard/series')
  const dialog = dialogOf(page)
  for (const kind of KINDS) {
    await page.getByRole('button', { name: 'Create series' }).first().click()
    await dialog.getByLabel('Name').fill(`kind-${kind.value}`)
    await dialog.getByLabel('Kind').selectOption(kind.value)
    await expectClean(page)
    await dialog.getByRole('button', { name: 'Create series' }).click()
    await expect(card(page, `kind-${kind.value}`)).toContainText(kind.about)
    await card(page, `kind-${kind.value}`).getByRole('button', { name: 'Draw numbers' }).click()
    await expect(dialog.getByRole('listitem')).toHaveCount(10)
    await dialog.getByRole('button', { name: 'Draw numbers' }).click()
    await expect(dialog.getByRole('textbox', { name: '1 number drawn' })).toHaveValue(kind.number)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
  }
  await card(page, 'kind-cycle').getByRole('button', { name: 'Delete' }).click()
  await dialog.getByRole('button', { name: 'Delete series' }).click()
  await expect(card(page, 'kind-cycle')).toHaveCount(0)
  await expect(page.getByText('Deleted kind-cycle')).toBeVisible()
})

const KINDS = [
  { value: 'cycle', about: 'From 1 to 500.', number: /^kind-cycle-00001$/ },
  { value: 'counter', about: 'From 1 each day.', number: /^\d{6}00001$/ },
  { value: 'bitmap', about: '100,000 numbers in no order.', number: /^kind-bitmap-\d{5}$/ },
  { value: 'shuffled', about: '5 digits or more', number: /^\d{6}[1-9]\d{4}$/ },
]
