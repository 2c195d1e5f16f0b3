import { makeOwn } from './support/account'
import { expectClean } from './support/clean'
import { expect, test, uniqueCode } from './support/test'

test('rules, a split and the query are set when a link is created, and lead where they say', async ({ dashboard, page }) => {
  const code = uniqueCode('rules')
  await dashboard.startLink(code)
  const { dialog } = dashboard
  const rules = dialog.getByRole('group', { name: 'Rules' })
  await expect(rules).toContainText('Everyone goes to the destination.')
  await rules.getByRole('button', { name: 'Edit rules' }).click()
  await rules.getByRole('button', { name: 'Add a rule' }).click()
  const first = rules.getByRole('listitem', { name: 'Rule 1' })
  await first.getByLabel('Condition', { exact: true }).selectOption('country')
  await first.getByLabel('Country: values, separated by commas').fill('de, at')
  await first.getByRole('button', { name: 'Add a condition' }).click()
  await first.getByLabel('Condition', { exact: true }).nth(1).selectOption('device')
  await first.getByRole('button', { name: 'Phone' }).click()
  await first.getByLabel('If all conditions match, go to').fill('example.com/de')
  await rules.getByRole('button', { name: 'Split visitors' }).click()
  await rules.getByLabel('Destination 1', { exact: true }).fill('https://example.com/a')
  await rules.getByLabel('Destination 2', { exact: true }).fill('https://example.com/b')
  await rules.getByLabel('Share of destination 1 in percent').fill('80')
  await rules.getByLabel('Parameters added to the short link').selectOption('forward')
  await rules.getByLabel('Extra path after the short link').selectOption('append')
  await expectClean(page)
  await dialog.getByRole('button', { name: 'Shorten' }).click()
  await expect(rules).toContainText('The weights add up to 130, not to 100.')
  await rules.getByLabel('Share of destination 1 in percent').fill('50')
  await dialog.getByRole('button', { name: 'Shorten' }).click()
  await expect(dialog.getByRole('link', { name: new RegExp(code) })).toBeVisible()
  const made = await page.request.get(`/api/v1/links/${code}`)
  expect((await made.json()).routing).toEqual({
    rules: [
      {
        when: [
          { of: 'country', in: ['DE', 'AT'] },
          { of: 'device', in: ['mobile'] },
        ],
        url: 'https://example.com/de',
      },
    ],
    split: {
      variants: [
        { url: 'https://example.com/a', weight: 50 },
        { url: 'https://example.com/b', weight: 50 },
      ],
    },
    query: 'forward',
    path: 'append',
  })
})

test('a country is chosen by its name, and what is wrong in rules is said once', async ({ dashboard, page }) => {
  const code = uniqueCode('country')
  await dashboard.startLink(code)
  const { dialog } = dashboard
  const rules = dialog.getByRole('group', { name: 'Rules' })
  await rules.getByRole('button', { name: 'Edit rules' }).click()
  await rules.getByRole('button', { name: 'Country destination' }).click()
  const country = rules.getByLabel('Country: values, separated by commas')
  await country.fill('germany, Atlantis')
  await country.blur()
  await expect(country).toHaveValue('Germany, Atlantis')
  await expect(rules).toContainText('No country is called this: Atlantis.')
  await expectClean(page)
  await country.fill('Germany, at')
  await country.blur()
  await expect(country).toHaveValue('Germany, Austria')
  await rules.getByRole('button', { name: 'Split visitors' }).click()
  await dialog.getByRole('button', { name: 'Shorten' }).click()
  // At the destinations of the rule and the split, and nowhere else.
  await expect(rules.getByText('Enter a whole URL')).toHaveCount(3)
  for (const part of ['Destination 1', 'Destination 2']) {
    await expect(rules.getByLabel(part, { exact: true })).toHaveAttribute('aria-invalid', 'true')
  }
  await rules.getByLabel('Share of destination 1 in percent').fill('80')
  await expect(rules).toContainText('130% in all: 30 too many.')
  await rules.getByLabel('Share of destination 1 in percent').fill('50')
  for (const i of [1, 2]) await rules.getByLabel(`Destination ${i}`, { exact: true }).fill(`https://example.com/${i}`)
  await rules.getByLabel('If all conditions match, go to').fill('https://example.com/de')
  await dialog.getByRole('button', { name: 'Shorten' }).click()
  await expect(dialog.getByRole('link', { name: new RegExp(code) })).toBeVisible()
  const made = await page.request.get(`/api/v1/links/${code}`)
  expect((await made.json()).routing.rules[0].when).toEqual([{ of: 'country', in: ['DE', 'AT'] }])
})

test('names of systems and browsers are suggested, and one that nobody knows is pointed out and taken', async ({
  dashboard,
  page,
}) => {
  const code = uniqueCode('named')
  await dashboard.startLink(code)
  const { dialog } = dashboard
  const rules = dialog.getByRole('group', { name: 'Rules' })
  await rules.getByRole('button', { name: 'Edit rules' }).click()
  await rules.getByRole('button', { name: 'Add a rule' }).click()
  const first = rules.getByRole('listitem', { name: 'Rule 1' })
  await first.getByLabel('Condition', { exact: true }).selectOption('browser')
  const names = first.getByLabel('Browser: values, separated by commas')
  await names.fill('firefox, ')
  const options = first.locator('datalist option')
  await expect(options.and(first.locator('[value="firefox, Chrome"]'))).toHaveCount(1)
  await expect(options.and(first.locator('[value="firefox, Firefox"]'))).toHaveCount(0)
  await names.fill('firefox, Chorme')
  await first.getByLabel('If all conditions match, go to').fill('example.com/named')
  await expect(names).toHaveAccessibleDescription('Statistics don’t know this name: Chorme. Check the spelling.')
  await expectClean(page)
  await dialog.getByRole('button', { name: 'Shorten' }).click()
  await expect(dialog.getByRole('link', { name: new RegExp(code) })).toBeVisible()
})

test('rules are tried on the latest clicks before they are saved, and taken away again', async ({ dashboard, page }) => {
  const code = uniqueCode('tried')
  await makeOwn(page, {
    url: 'https://example.com/all',
    code,
    routing: { rules: [{ when: [{ of: 'os', in: ['iOS'] }], url: 'https://example.com/ios' }] },
  })
  for (const _ of [1, 2, 3]) expect((await page.request.get(`/${code}`, { maxRedirects: 0 })).status()).toBe(302)
  await expect.poll(async () => (await (await page.request.get(`/api/v1/links/${code}`)).json()).clicks).toBe(3)
  await dashboard.open()
  await page.keyboard.press('j')
  await page.keyboard.press('e')
  const rules = dashboard.dialog.getByRole('group', { name: 'Rules' })
  await expect(rules).toContainText('1 rule')
  await rules.getByRole('button', { name: 'Edit rules' }).click()
  await rules.getByRole('button', { name: 'Try on the latest clicks' }).click()
  await expect(rules.getByRole('row', { name: /^Rule 1/ })).toContainText('0 clicks')
  await expect(rules.getByRole('row', { name: /^Everyone else/ })).toContainText('3 clicks')
  await rules.getByRole('button', { name: 'Remove rule 1' }).click()
  await expect(rules).toContainText('Everyone goes to the destination.')
  await dashboard.dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dashboard.dialog).toHaveCount(0)
  expect((await (await page.request.get(`/api/v1/links/${code}`)).json()).routing).toBeNull()
})

test('a split gets an end in one line, shows what stayed, and can begin again', async ({ dashboard, page }) => {
  const code = uniqueCode('ends')
  const variants = [
    { url: 'https://example.com/a', weight: 50 },
    { url: 'https://example.com/b', weight: 50 },
  ]
  await makeOwn(page, { url: 'https://example.com/all', code, routing: { split: { variants } } })
  const stored = async () => (await (await page.request.get(`/api/v1/links/${code}`)).json()).routing
  const edit = async () => {
    await dashboard.open()
    await page.keyboard.press('j')
    await page.keyboard.press('e')
    const rules = dashboard.dialog.getByRole('group', { name: 'Rules' })
    await rules.getByRole('button', { name: 'Edit rules' }).click()
    return rules
  }
  const save = async () => {
    await dashboard.dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dashboard.dialog).toHaveCount(0)
  }
  let rules = await edit()
  await rules.getByRole('button', { name: 'Add an end date' }).click()
  const ends = rules.getByLabel('End the test on (the better destination stays)')
  await expect(ends).toHaveAccessibleDescription(/A destination needs 30 visitors/)
  await ends.fill('2001-02-03T04:05')
  await dashboard.dialog.getByRole('button', { name: 'Save' }).click()
  await expect(ends).toHaveAccessibleDescription(/Choose a time in the future\./)
  await ends.fill('2999-02-03T04:05')
  await expectClean(page)
  await save()
  const endsAt = await page.evaluate(() => new Date('2999-02-03T04:05').toISOString())
  expect(await stored()).toEqual({ split: { variants, endsAt } })

  const headers = { Origin: new URL(page.url()).origin }
  const routing = { split: { variants, endsAt, winner: 'https://example.com/b' } }
  expect((await page.request.patch(`/api/v1/links/${code}`, { headers, data: { routing } })).status()).toBe(200)
  rules = await edit()
  await expect(rules).toContainText('split has ended')
  await expect(rules.getByRole('status')).toHaveText('Everyone goes to example.com/b.')
  await expectClean(page)
  await rules.getByRole('button', { name: 'Split again' }).click()
  await expect(rules).toContainText('split into 2 destinations')
  await save()
  expect(await stored()).toEqual({ split: { variants } })
})
