import { type APIRequestContext, expect, type Locator, type Page } from '@playwright/test'

interface Link {
  code: string
  shortUrl: string
  manageToken: string
}

/** Who clicks: headers of a GET that follows a short link. */
export const AGENTS = {
  firefox: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
  chrome: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  googlebot: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
}

interface Click {
  agent?: keyof typeof AGENTS
  headers?: Record<string, string>
  query?: Record<string, string>
}

/** The page with a link's statistics, as a person sees it. */
export class StatsPage {
  readonly key: Locator
  readonly filters: Locator
  readonly dialog: Locator

  constructor(readonly page: Page) {
    this.key = page.getByLabel('Manage token', { exact: true })
    this.filters = page.getByRole('list', { name: 'Filters' }).getByRole('button', { name: /^Remove filter/ })
    this.dialog = page.getByRole('dialog')
  }

  path = ({ code }: Link, query = '') => `/stats/${code.split('/').map(encodeURIComponent).join('/')}${query}`

  /** Opens it with the link's key, as one opens a shared address. */
  async open(link: Link, query = ''): Promise<void> {
    await this.page.goto(`${this.path(link, query)}#token=${link.manageToken}`)
    await this.untilLoaded()
  }

  async untilLoaded(): Promise<void> {
    await expect(this.page.getByText('Live', { exact: true })).toBeVisible()
    await expect(this.page.locator('.skeleton')).toHaveCount(0)
    await expect(this.page.locator('[aria-busy=true]')).toHaveCount(0)
  }

  region(name: string): Locator {
    return this.page.getByRole('region', { name, exact: true })
  }

  /** A row of a breakdown, by the value it stands for. */
  row(list: string, value: string): Locator {
    return this.page.getByRole('list', { name: list, exact: true }).getByRole('button', { name: new RegExp(`^${value} `) })
  }

  /** One of the numbers on top. */
  total(name: string): Locator {
    return this.page.locator('dl > div').filter({ has: this.page.locator('dt', { hasText: new RegExp(`^${name}$`) }) })
  }
}

/** Follows a link, and waits until that is counted. */
export async function clickLink(request: APIRequestContext, link: Link, clicks: Click[]): Promise<void> {
  const key = { Authorization: `Bearer ${link.manageToken}` }
  const path = `/api/v1/links/${encodeURIComponent(link.code)}`
  const before = ((await (await request.get(path, { headers: key })).json()) as { clicks: number }).clicks
  for (const { agent = 'firefox', headers = {}, query } of clicks) {
    const url = query ? `${link.shortUrl}?${new URLSearchParams(query)}` : link.shortUrl
    const answer = await request.get(url, { maxRedirects: 0, headers: { 'User-Agent': AGENTS[agent], ...headers } })
    expect(answer.status()).toBe(302)
  }
  await expect
    .poll(async () => ((await (await request.get(path, { headers: key })).json()) as { clicks: number }).clicks)
    .toBe(before + clicks.length)
}
