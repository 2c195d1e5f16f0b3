import { BASE_URL } from './support/settings'
import { expect, test, uniqueCode } from './support/test'

test('an unknown code gets a page that says so and leads to the front page', async ({ page }) => {
  const response = await page.goto(`/${uniqueCode('unknown')}`)
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('There’s no such link')
  await page.getByRole('link', { name: /^Shorten/ }).click()
  await expect(page).toHaveURL(`${BASE_URL}/`)
})

test('a plus sign shows where a link leads, without going there', async ({ page, makeLink, destination }) => {
  const { shortUrl } = await makeLink({ url: `${destination}/target?a=1` })
  await page.goto(`${shortUrl}+`)
  await expect(page).toHaveURL(`${shortUrl}+`)
  await expect(page.getByText(`${destination}/target?a=1`)).toBeVisible()
  await page.getByRole('link', { name: /^Go to/ }).click()
  await expect(page).toHaveURL(`${destination}/target?a=1`)
})

test('a deleted link says so', async ({ page, request, makeLink }) => {
  const { code, shortUrl, manageToken } = await makeLink({ url: 'https://example.com/' })
  await request.delete(`/api/v1/links/${code}`, { headers: { Authorization: `Bearer ${manageToken}` } })
  const response = await page.goto(shortUrl)
  expect(response?.status()).toBe(410)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link was deleted')
})

test('the API page shows every operation of the OpenAPI document, and its links lead somewhere', async ({ page, request }) => {
  await page.goto('/')
  await page.getByRole('link', { name: 'API', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('API')

  const openApi = (await (await request.get('/api/v1/openapi.json')).json()) as {
    paths: Record<string, Record<string, { summary: string }>>
  }
  const summaries = Object.values(openApi.paths).flatMap((item) => Object.values(item).flatMap(({ summary }) => summary ?? []))
  expect(summaries.length).toBeGreaterThanOrEqual(5)
  for (const summary of summaries) await expect(page.getByRole('heading', { level: 2, name: summary, exact: true })).toBeVisible()

  const broken = await page
    .locator('a[href^="#"]')
    .evaluateAll((links) =>
      links.map((link) => link.getAttribute('href') ?? '').filter((href) => !document.getElementById(href.slice(1))),
    )
  expect(broken).toEqual([])
})

test('the example of the API page works', async ({ page, request }) => {
  await page.goto('/docs')
  const example = await page.getByRole('region', { name: 'Example: Create a link', exact: true }).textContent()
  const [, url] = /'(http[^']+)'/.exec(example ?? '') ?? []
  const [, body] = /-d '(.+)'/.exec(example ?? '') ?? []
  // With a code of its own, so that the test can be run again.
  const data = body?.replace('spring-sale', uniqueCode())
  const response = await request.post(url ?? '', { data, headers: { 'Content-Type': 'application/json' } })
  expect(response.status()).toBe(201)
})

test('pages carry a policy that lets in nothing from elsewhere', async ({ request }) => {
  for (const path of ['/', '/docs']) {
    const headers = (await request.get(path)).headers()
    expect(headers['content-security-policy']).toContain("default-src 'self'")
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['x-powered-by']).toBeUndefined()
  }
})

for (const path of ['/', '/docs', '/stats/abc', '/sign-in', '/report']) {
  test(`only scripts that carry the answer's nonce run on ${path}`, async ({ page }) => {
    const refused: string[] = []
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) refused.push(message.text())
    })
    const policyOf = async () => (await (await page.goto(path))?.headerValue('content-security-policy')) ?? ''
    const [first, second] = [await policyOf(), await policyOf()]
    expect(first).toMatch(/script-src 'self' 'nonce-[\w+/=]{22,}' 'strict-dynamic';/)
    expect(second).not.toBe(first)
    await page.waitForLoadState('networkidle')
    expect(refused).toEqual([])
    // What a page is made to show by someone else's text: markup that would run a script of its own.
    await page.evaluate(() => {
      document.body.insertAdjacentHTML('beforeend', '<img src="/nothing.png" onerror="document.title = `taken over`">')
    })
    await expect.poll(() => refused.length).toBe(1)
    expect(await page.title()).not.toBe('taken over')
  })
}
