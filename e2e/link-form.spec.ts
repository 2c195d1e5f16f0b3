import type { Locator } from '@playwright/test'
import { makeOwn } from './support/account'
import { expectClean } from './support/clean'
import { query } from './support/database'
import { expect, test, uniqueCode } from './support/test'
import { withoutScripts } from './support/without-scripts'

/** What is typed into every field but the destination, the back-half and the domain. */
const TYPED = {
  Title: 'Spring sale',
  Expires: '2040-01-02T03:04',
  Starts: '2039-01-02T03:04',
  'Click limit': '500',
  'After expiry, redirect to': 'https://example.com/over',
}
/** The same as the API has it; the browser is in Berlin. */
const SET = {
  title: 'Spring sale',
  expiresAt: '2040-01-02T02:04:00.000Z',
  startsAt: '2039-01-02T02:04:00.000Z',
  maxClicks: 500,
  expiredUrl: 'https://example.com/over',
  redirectStatus: 308,
  hasPassword: true,
}

/** And as chips. */
const CHIPS = [
  'Clear Title Spring sale',
  'Clear Expires 2 Jan 2040, 03:04',
  'Clear Starts 2 Jan 2039, 03:04',
  'Clear Click limit 500',
  'Clear Password',
  'Clear After expiry, redirect to example.com/over',
  'Clear Redirect type 308',
  'Clear Turned off',
  'Clear Public',
]

/** What is folded away, but for strangers, whose page has to be small. */
const unfold = (form: Locator) => form.getByText('Start and end', { exact: true }).click()

async function setAll(form: Locator): Promise<void> {
  await unfold(form)
  for (const [label, text] of Object.entries(TYPED)) await form.getByLabel(label, { exact: true }).fill(text)
  await form.getByLabel('Password', { exact: true }).fill('sesame')
  await form.getByLabel('Redirect type').selectOption('308')
  await form.getByRole('switch', { name: 'Turned on' }).uncheck()
}

test('all that a link can have is set when it is created, on any domain', async ({ dashboard, page }) => {
  const host = 'links.example'
  await query('INSERT IGNORE INTO Domain (host, createdAt, verifiedAt) VALUES (?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))', [host])
  // The app reads its domains every five seconds.
  await expect
    .poll(async () => (await (await page.request.get('/dashboard')).text()).includes(host), { timeout: 10_000 })
    .toBe(true)
  const code = uniqueCode('all')
  await dashboard.startLink(code)
  const { dialog } = dashboard
  await expect(dialog.getByRole('img', { name: `QR code for http://localhost:` })).toBeVisible()
  await dialog.getByLabel('Domain').selectOption(host)
  await expect(dialog.getByRole('img', { name: `QR code for http://${host}/${code}` })).toBeVisible()
  await setAll(dialog)
  await dialog.getByRole('switch', { name: 'Show on my public page' }).check()

  await dialog.getByText('Options', { exact: true }).click()
  const chips = dialog.getByRole('button', { name: /^Clear / })
  await expect(chips).toHaveText([`Clear Back-half ${code}`, `Clear Domain ${host}`, ...CHIPS])
  await expectClean(page)
  await dialog.getByText('Options', { exact: true }).click()
  // All open: the form ends in its button, and nothing lies under that.
  await expectClean(page)
  await dialog.getByLabel('URL to shorten').press('Enter')
  await expect(dialog.getByRole('link', { name: `${host}/${code}` })).toBeVisible()
  await expect(dialog.getByRole('img', { name: `QR code for http://${host}/${code}` })).toBeVisible()
  const made = await page.request.get(`/api/v1/links/${code}?domain=${host}`)
  expect(await made.json()).toMatchObject({ ...SET, domain: host, state: 'disabled', listed: true })
})

test('all that a link has is found when it is edited, and cleared by keyboard alone', async ({ dashboard, page }) => {
  const code = uniqueCode('found')
  const { hasPassword: _, ...fields } = SET
  const all = { ...fields, url: 'https://example.com/', code, password: 'sesame', enabled: false, listed: true }
  const { shortUrl } = await makeOwn(page, all)
  await dashboard.open()
  const { dialog } = dashboard
  await dashboard.row(code).getByRole('button', { name: /^Edit/ }).click()
  await expect(dialog.getByRole('img', { name: `QR code for ${shortUrl}` })).toBeVisible()
  await expect(dialog.getByText('2 Jan 2039, 03:04 · 500 clicks · example.com/over')).toBeVisible()
  for (const [label, text] of Object.entries(TYPED)) await expect(dialog.getByLabel(label, { exact: true })).toHaveValue(text)
  await expect(dialog.getByLabel('Redirect type')).toHaveValue('308')
  await expect(dialog.getByRole('switch', { name: 'Turned on' })).not.toBeChecked()
  await expect(dialog.getByRole('switch', { name: 'Show on my public page' })).toBeChecked()
  const chips = dialog.getByRole('button', { name: /^Clear / })
  await expect(chips).toHaveText(CHIPS)
  await expectClean(page)

  // By keyboard alone: a chip that is cleared hands the cursor on.
  await chips.filter({ hasText: 'Password' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.locator(':focus')).toHaveText(/After expiry/)
  await expect(dialog.getByText('Removed when you save')).toBeVisible()
  for (let left = 7; left >= 0; left--) {
    await page.keyboard.press('Enter')
    await expect(chips).toHaveCount(left)
  }
  await expect(dialog.getByLabel('Title')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  const cleared = await page.request.get(`/api/v1/links/${code}`)
  expect(await cleared.json()).toMatchObject({
    title: '',
    expiresAt: null,
    startsAt: null,
    maxClicks: null,
    expiredUrl: null,
    redirectStatus: 302,
    hasPassword: false,
    state: 'active',
    listed: false,
  })
})

test('what is not saved is kept, however the form is left, and a form without changes closes and says nothing', async ({
  dashboard,
  page,
}) => {
  const code = uniqueCode('draft')
  const { shortUrl } = await makeOwn(page, { url: 'https://example.com/', code, title: 'Before', password: 'old' })
  await dashboard.open()
  const { dialog } = dashboard
  const title = dialog.getByLabel('Title')
  const edit = () => dashboard.row(code).getByRole('button', { name: /^Edit/ }).click()
  const kept = page.getByText(`/${code} kept`)
  const beside = () => page.mouse.click(20, 300)

  await edit()
  await expect(title).toHaveValue('Before')
  await beside()
  await expect(dialog).toBeHidden()
  await expect(kept).toHaveCount(0)

  await edit()
  await title.fill('Typed')
  await dialog.getByRole('button', { name: 'Edit', exact: true }).click()
  await dialog.getByLabel('New password', { exact: true }).fill('new')
  await beside()
  await expect(dialog).toBeHidden()
  await expect(kept).toBeVisible()
  // The browser asks before it goes with the draft, also while no form is open.
  const asked = page.waitForEvent('dialog')
  await page.evaluate(() => setTimeout(() => location.reload()))
  await (await asked).dismiss()

  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByText('Your unsaved changes are back.')).toBeVisible()
  await expect(kept).toHaveCount(0)
  await expect(title).toHaveValue('Typed')
  await expect(dialog.getByLabel('New password', { exact: true })).toHaveValue('new')
  await expectClean(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  // Away by the browser's Back button, to another page of the app, and forth.
  await page.getByRole('link', { name: 'Overview' }).click()
  await expect(dashboard.title).toHaveText('Overview')
  await page.getByRole('navigation', { name: 'Your account' }).getByRole('link', { name: 'Links' }).click()
  await dashboard.untilLoaded()
  await edit()
  await expect(title).toHaveValue('Typed')
  await title.fill('Typed more')
  await page.goBack()
  await expect(dashboard.title).toHaveText('Overview')
  await page.goForward()
  await dashboard.untilLoaded()
  await edit()
  await expect(title).toHaveValue('Typed more')
  // To throw it away is an act of its own, and can be undone.
  const discard = dialog.getByRole('button', { name: 'Discard' })
  await discard.click()
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(title).toHaveValue('Typed more')
  await discard.click()
  await edit()
  await expect(title).toHaveValue('Before')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()

  // What is saved and over at once is no surprise.
  await edit()
  await dialog.getByLabel('Expires', { exact: true }).fill('2020-01-02T03:04')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('It has expired, so it no longer redirects.')).toBeVisible()
  await expect(dashboard.row(code)).toContainText('Expired')

  // A new link, too, until it is created.
  const create = () => page.getByRole('button', { name: 'Create link' }).click()
  await create()
  await dialog.getByLabel('URL to shorten').fill('https://example.com/new')
  await page.keyboard.press('Escape')
  await create()
  const url = dialog.getByLabel('URL to shorten')
  await expect(url).toHaveValue('https://example.com/new')
  await discard.click()
  await expect(url).toHaveValue('')
  await expect(url).toBeFocused()
  await url.fill('https://example.com/new')
  await url.press('Enter')
  await expect(dialog.getByRole('button', { name: /^Copy/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await create()
  await expect(dialog.getByLabel('URL to shorten')).toHaveValue('')
  expect((await page.request.get(shortUrl, { maxRedirects: 0 })).status()).toBe(410)
})

test('strangers set all that is theirs to set, without scripts too', async ({ browser, front }) => {
  await front.openOptions()
  await expect(front.page.getByRole('switch', { name: 'Turned on' })).toBeVisible()
  await expect(front.page.getByRole('switch', { name: 'Show on my public page' })).toHaveCount(0)

  const page = await withoutScripts(browser)
  await page.goto('/')
  const code = uniqueCode('plain')
  const form = page.getByRole('form', { name: 'Shorten a URL' })
  await form.getByText('Options', { exact: true }).click()
  await form.getByLabel('Back-half').fill(code)
  for (const [label, text] of Object.entries(TYPED)) await form.getByLabel(new RegExp(`^${label}( \\(UTC\\))?$`)).fill(text)
  await form.getByLabel('Redirect type').selectOption('308')
  await form.getByRole('switch', { name: 'Turned on' }).uncheck()
  await form.getByLabel('Password', { exact: true }).fill('sesame')
  await form.getByRole('button', { name: 'Shorten' }).click()
  // No URL yet: what was set is still there.
  await expect(form.getByLabel('Title')).toHaveValue('Spring sale')
  await expect(form.getByLabel('Redirect type')).toHaveValue('308')
  await expect(form.getByRole('switch', { name: 'Turned on' })).not.toBeChecked()
  await form.getByLabel('URL to shorten').fill('example.com/plain')
  await form.getByLabel('Password', { exact: true }).fill('sesame')
  await form.getByRole('button', { name: 'Shorten' }).click()
  const key = await page.getByLabel('Manage token').inputValue()
  const made = await page.request.get(`/api/v1/links/${code}`, { headers: { Authorization: `Bearer ${key}` } })
  expect(await made.json()).toMatchObject({
    ...SET,
    state: 'disabled',
    expiresAt: '2040-01-02T03:04:00.000Z',
    startsAt: '2039-01-02T03:04:00.000Z',
  })
  await page.context().close()
})
