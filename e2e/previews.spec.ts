import { makeOwn } from './support/account'
import { expectClean } from './support/clean'
import { expect, test, uniqueCode } from './support/test'

const SLACK = { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' }

test('a preview is written while the pictures follow, and is what apps get', async ({ dashboard, page }) => {
  const code = uniqueCode('card')
  await dashboard.startLink(code)
  const { dialog } = dashboard
  const preview = dialog.getByRole('group', { name: 'Preview' })
  await expect(preview).toContainText('Apps show what they find at the destination.')
  await preview.getByRole('button', { name: 'Edit preview' }).click()
  await preview.getByRole('radio', { name: /^Take it from the destination/ }).check()
  await expect(preview).toContainText('The destination hasn’t been read yet.')
  await preview.getByRole('radio', { name: /^Write it yourself/ }).check()
  await dialog.getByRole('button', { name: 'Shorten' }).click()
  await expect(preview.getByRole('textbox', { name: 'Title' })).toHaveAttribute('aria-invalid', 'true')
  await preview.getByRole('textbox', { name: 'Title' }).fill('Spring sale')
  await preview.getByRole('textbox', { name: 'Description' }).fill('Everything for less, until Sunday.')
  await preview.getByLabel('Image URL').fill('images.example/spring.png')
  const pictures = preview.getByRole('region', { name: 'How it looks' })
  await expect(pictures.getByRole('figure')).toHaveCount(3)
  await expect(pictures.getByRole('figure', { name: 'Slack' })).toContainText('Everything for less')
  await expect(pictures.getByRole('figure', { name: 'WhatsApp' })).toContainText('Image from images.example')
  await expectClean(page)
  await dialog.getByRole('button', { name: 'Shorten' }).click()
  await expect(dialog.getByRole('link', { name: new RegExp(code) })).toBeVisible()
  const card = await page.request.get(`/${code}`, { maxRedirects: 0, headers: SLACK })
  expect(await card.text()).toContain('<meta property="og:title" content="Spring sale">')
  expect(await card.text()).toContain('content="https://images.example/spring.png"')
  expect((await page.request.get(`/${code}`, { maxRedirects: 0 })).status()).toBe(302)
})

test('the form says in one line what the preview is set to, and takes it away again', async ({ dashboard, page }) => {
  const code = uniqueCode('carded')
  await makeOwn(page, { url: 'https://example.com/all', code, preview: { source: 'custom', title: 'Mine' } })
  await dashboard.open()
  await page.keyboard.press('j')
  await page.keyboard.press('e')
  const preview = dashboard.dialog.getByRole('group', { name: 'Preview' })
  await expect(preview).toContainText('Your own: Mine')
  await preview.getByRole('button', { name: 'Edit preview' }).click()
  await preview.getByRole('radio', { name: /^Leave it to the apps/ }).check()
  await dashboard.dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dashboard.dialog).toHaveCount(0)
  expect((await (await page.request.get(`/api/v1/links/${code}`)).json()).preview).toBeNull()
})

test('what the destination says of itself can be read again', async ({ dashboard, page }) => {
  const code = uniqueCode('read')
  // This address is never asked: it is ours to test with, and private.
  await makeOwn(page, { url: 'http://10.1.2.3/page', code, preview: { source: 'destination' } })
  await expect.poll(async () => (await (await page.request.get(`/api/v1/links/${code}/preview`)).json()).failure).toBe('private')
  await dashboard.open()
  await page.keyboard.press('j')
  await page.keyboard.press('e')
  const preview = dashboard.dialog.getByRole('group', { name: 'Preview' })
  await preview.getByRole('button', { name: 'Edit preview' }).click()
  await expect(preview).toContainText('The destination couldn’t be read')
  await preview.getByRole('button', { name: 'Read the destination again' }).click()
  await expect(page.getByText('Reading the destination again').first()).toBeVisible()
})
