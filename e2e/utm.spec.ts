import { makeOwn } from './support/account'
import { expectClean } from './support/clean'
import { expect, test, uniqueCode } from './support/test'

test('UTM parameters are added to a new destination, saved as a template, and leave all else as it was typed', async ({
  dashboard,
  page,
}) => {
  const code = uniqueCode('utm')
  await dashboard.open()
  await page.getByRole('button', { name: 'Create link' }).first().click()
  const { dialog } = dashboard
  await dialog.getByText('Options', { exact: true }).click()
  const utm = dialog.getByRole('group', { name: 'UTM parameters' })
  await expect(utm).toContainText('None in the destination.')
  await utm.getByRole('button', { name: 'Edit UTM parameters' }).click()
  await expect(utm.getByText('Enter the destination first.')).toBeVisible()
  await expect(utm.getByLabel('Source')).toBeDisabled()
  const destination = dialog.getByLabel('URL to shorten')
  await destination.fill('https://example.com/?a=%2B&b=+&c=&a=2#top?x')
  await dialog.getByLabel('Back-half').fill(code)
  await utm.getByLabel('Source').fill('news & more')
  await utm.getByLabel('Medium').fill('email')
  await expect(destination).toHaveValue(
    'https://example.com/?a=%2B&b=+&c=&a=2&utm_source=news%20%26%20more&utm_medium=email#top?x',
  )
  await expect(utm).toContainText('news & more · email')
  await expectClean(page)

  await utm.getByRole('button', { name: 'Templates' }).click()
  const templates = page.getByRole('dialog', { name: 'UTM templates' })
  await templates.getByLabel('Save the current values as').fill('Newsletter')
  await templates.getByRole('button', { name: 'Save' }).click()
  await expect(templates.getByRole('button', { name: 'Newsletter', exact: true })).toBeVisible()
  await expectClean(page)
  await page.keyboard.press('Escape')
  await utm.getByLabel('Source').fill('')
  await utm.getByLabel('Medium').fill('')
  await expect(destination).toHaveValue('https://example.com/?a=%2B&b=+&c=&a=2#top?x')
  await utm.getByRole('button', { name: 'Templates' }).click()
  await templates.getByRole('button', { name: 'Newsletter', exact: true }).click()
  await dialog.getByRole('button', { name: 'Shorten' }).click()
  await expect(dialog.getByRole('link', { name: new RegExp(code) })).toBeVisible()
  const made = await (await page.request.get(`/api/v1/links/${code}`)).json()
  expect(made.url).toBe('https://example.com/?a=%2B&b=+&c=&a=2&utm_source=news%20%26%20more&utm_medium=email#top?x')
})

test('what a link has is shown in one line when it is edited', async ({ dashboard, page }) => {
  const code = uniqueCode('has')
  await makeOwn(page, { url: 'https://example.com/?utm_source=news&utm_campaign=spring', code })
  await dashboard.open()
  await dashboard.row(code).getByRole('button', { name: /^Edit/ }).click()
  const utm = dashboard.dialog.getByRole('group', { name: 'UTM parameters' })
  await expect(utm).toContainText('news · spring')
  await utm.getByRole('button', { name: 'Edit UTM parameters' }).click()
  await utm.getByLabel('Campaign').fill('')
  await dashboard.dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dashboard.dialog).toBeHidden()
  const made = await (await page.request.get(`/api/v1/links/${code}`)).json()
  expect(made.url).toBe('https://example.com/?utm_source=news')
})
