import { AdminPage } from './support/admin-page'
import { expectClean } from './support/clean'
import { BASE_URL } from './support/settings'
import { expect, test, uniqueCode } from './support/test'

test('an admin sets which apps open the links of a domain, and is told what is wrong with a file', async ({ page }) => {
  const admin = new AdminPage(page)
  await admin.signIn()
  await admin.open('domains')
  await page
    .getByRole('button', { name: /^App links of / })
    .first()
    .click()
  const { dialog } = admin
  const android = dialog.getByLabel('Android: assetlinks.json')
  await android.fill('[{')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('This isn’t JSON.')).toBeVisible()
  await android.fill(
    '[{"relation": ["delegate_permission/common.handle_all_urls"], "target": {"namespace": "web", "site": "app"}}]',
  )
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(android).toHaveAttribute('aria-invalid', 'true')
  await expectClean(page)
  const statement = {
    relation: ['delegate_permission/common.handle_all_urls'],
    target: { namespace: 'web', site: 'https://example.com' },
  }
  await android.fill(JSON.stringify([statement]))
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(admin.toast('saved')).toBeVisible()
  const served = await page.request.get('/.well-known/assetlinks.json', { maxRedirects: 0 })
  expect([served.status(), served.headers()['content-type'], await served.json()]).toEqual([200, 'application/json', [statement]])
  expect((await page.request.get('/.well-known/apple-app-site-association')).status()).toBe(404)
})

test('visitors with iOS and Android are led elsewhere by two buttons', async ({ dashboard, page }) => {
  const code = uniqueCode('apps')
  await dashboard.startLink(code)
  const { dialog } = dashboard
  const rules = dialog.getByRole('group', { name: 'Rules' })
  await rules.getByRole('button', { name: 'Edit rules' }).click()
  await rules.getByRole('button', { name: 'iOS destination' }).click()
  await expect(rules.getByRole('button', { name: 'iOS destination' })).toHaveCount(0)
  await rules.getByRole('button', { name: 'Android destination' }).click()
  await rules
    .getByRole('listitem', { name: 'Rule 1' })
    .getByLabel('If all conditions match, go to')
    .fill('apps.apple.com/app/id1')
  const second = rules.getByRole('listitem', { name: 'Rule 2' }).getByLabel('If all conditions match, go to')
  await second.fill('https://play.google.com/store/apps/details?id=a.b')
  await dialog.getByRole('button', { name: 'Shorten' }).click()
  await expect(dialog.getByRole('link', { name: new RegExp(code) })).toBeVisible()
  const made = await (await page.request.get(`/api/v1/links/${code}`)).json()
  expect(made.routing.rules).toEqual([
    { when: [{ of: 'os', in: ['iOS'] }], url: 'https://apps.apple.com/app/id1' },
    { when: [{ of: 'os', in: ['Android'] }], url: 'https://play.google.com/store/apps/details?id=a.b' },
  ])
})

test('a link opens an app by a scheme that the operator allows, and no other', async ({ dashboard, page, baseURL }) => {
  const code = uniqueCode('call')
  const settings = { headers: { Origin: BASE_URL }, maxRedirects: 0 }
  await dashboard.startLink(code, 'tel:+49-30-1234')
  await dashboard.dialog.getByRole('button', { name: 'Shorten' }).click()
  await expect(dashboard.dialog.getByRole('link', { name: new RegExp(code) })).toBeVisible()
  const answer = await page.request.get(`/${code}`, settings)
  expect([answer.status(), answer.headers().location]).toEqual([302, 'tel:+49-30-1234'])
  // Whoever looks before they go sees what would open.
  await page.goto(`${baseURL}/${code}+`)
  await expect(page.locator('main')).toContainText('tel:+49-30-1234')
  await expectClean(page)
  for (const url of [
    'spotify:track:1',
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'JavaScript&colon;alert(1)',
  ]) {
    const refused = await page.request.post('/api/v1/links', { ...settings, data: { url } })
    expect([url, refused.status()]).toEqual([url, 422])
  }
})
