import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AdminPage } from './support/admin-page'
import { query } from './support/database'
import { BASE_URL, PORT } from './support/settings'
import { expect, test, uniqueCode } from './support/test'

/** A shortener that is moved away from: every code leads somewhere, but for those that are `unknown`. */
async function openOld(): Promise<{ url: string; server: Server }> {
  const server = createServer(({ url = '' }, response) => {
    if (url.includes('broken')) response.writeHead(500).end()
    else if (/^\/terse|unknown/.test(url)) response.writeHead(404).end()
    else response.writeHead(302, { Location: `https://example.com${url}` }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

test('an admin names the old shortener of a domain, sees what comes over, and stops asking it', async ({ page }) => {
  const host = `${uniqueCode().toLowerCase()}.example`
  await query('INSERT INTO Domain (host, createdAt, verifiedAt) VALUES (?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))', [host])
  const { url, server } = await openOld()
  const admin = new AdminPage(page)
  await admin.signIn()
  await admin.open('domains')

  await page.getByRole('button', { name: `Set up the old shortener of ${host}` }).click()
  const address = admin.dialog.getByLabel('Address')
  await address.fill(BASE_URL)
  await admin.dialog.getByRole('button', { name: 'Save' }).click()
  await expect(admin.dialog.getByText('This address leads to this site itself')).toBeVisible()
  await address.fill('http://127.0.0.1:1')
  await admin.dialog.getByRole('button', { name: 'Save' }).click()
  await expect(admin.dialog.getByText('No connection could be made')).toBeVisible()
  await address.fill(url)
  await admin.dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(url)).toBeVisible()
  await expect(page.getByText('No links have come over yet')).toBeVisible()

  const follow = (path: string) =>
    page.request.get(`http://127.0.0.1:${PORT}${path}`, { headers: { Host: host, Accept: 'text/html' }, maxRedirects: 0 })
  const told = async (path: string) => {
    const answer = await follow(path)
    return `${answer.status()} ${answer.headers().location ?? ''}`
  }
  await expect.poll(() => told('/spring'), { timeout: 15_000 }).toBe('302 https://example.com/spring')
  expect(await told('/unknown')).toBe('404 ')
  const broken = await follow('/broken')
  expect([broken.status(), (await broken.text()).includes('The old address doesn’t answer')]).toEqual([502, true])
  const found = await page.request.get(`/api/v1/links/spring?domain=${host}`, { headers: { Origin: BASE_URL } })
  expect(await found.json()).toMatchObject({ url: 'https://example.com/spring' })

  await expect(async () => {
    await admin.open('domains')
    await expect(page.getByText('1 link has come over')).toBeVisible({ timeout: 500 })
    await expect(page.getByText('1 question failed, most recently because it answered with an error')).toBeVisible({
      timeout: 500,
    })
  }).toPass({ timeout: 20_000 })

  await page.getByRole('button', { name: `Stop asking the old shortener of ${host}` }).click()
  await admin.dialog.getByRole('button', { name: 'Stop asking' }).click()
  await expect(page.getByText(url)).toBeHidden()
  await expect.poll(() => told('/summer'), { timeout: 15_000 }).toBe('404 ')
  expect(await told('/spring')).toBe('302 https://example.com/spring')
  server.close()
})
