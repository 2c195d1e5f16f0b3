import { AdminPage } from './support/admin-page'
import { query } from './support/database'
import { BASE_URL } from './support/settings'
import { expect, test, uniqueCode } from './support/test'

/** A verified domain of its own: the default one serves all other tests at the same time. */
async function serveDomain(host: string): Promise<void> {
  await query('INSERT INTO Domain (host, createdAt, verifiedAt) VALUES (?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))', [host])
}

test('an admin makes capitals the same on a domain, after codes that would be one were listed, and can go back', async ({
  page,
}) => {
  const host = `${uniqueCode().toLowerCase()}.example`
  await serveDomain(host)
  const admin = new AdminPage(page)
  await admin.signIn()
  const make = (code: string) =>
    page.request.post('/api/v1/links', {
      headers: { Origin: BASE_URL },
      data: { url: 'https://example.com/', code, domain: host },
    })
  await expect.poll(async () => (await make('Spring')).status(), { timeout: 15_000 }).toBe(201)
  expect((await make('spring')).status()).toBe(201)

  await admin.open('domains')
  await expect(page.getByRole('region', { name: host }).or(page.getByText(host)).first()).toBeVisible()
  const button = page.getByRole('button', { name: `Change capitals on ${host}` })
  await button.click()
  await admin.dialog.getByRole('button', { name: 'Make capitals the same' }).click()
  await expect(admin.dialog.getByText('Spring = spring')).toBeVisible()
  await page.keyboard.press('Escape')

  const gone = await page.request.delete(`/api/v1/links/spring?domain=${host}`, { headers: { Origin: BASE_URL } })
  expect(gone.status()).toBe(204)
  // The deleted one rests, so it counts: it goes for good.
  await query('DELETE FROM DeletedLink WHERE fullShortUrl = ?', [`${host}/spring`])
  await button.click()
  await admin.dialog.getByRole('button', { name: 'Make capitals the same' }).click()
  await expect(page.getByText('Changing this. All links keep working.')).toBeVisible()
  await expect(page.getByText('/Spring and /spring are the same link')).toBeVisible({ timeout: 40_000 })
  const found = await page.request.get(`/api/v1/links/SPRING?domain=${host}`)
  expect(await found.json()).toMatchObject({ code: 'spring', domain: host })

  await button.click()
  await expect(admin.dialog.getByText('Existing links then work only in lowercase')).toBeVisible()
  await admin.dialog.getByRole('button', { name: 'Tell capitals apart' }).click()
  await expect(page.getByText('Changing this. All links keep working.')).toBeVisible()
})
