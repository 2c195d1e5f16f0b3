import { expect, type Locator, type Page } from '@playwright/test'

/** The list of an account's links, as a person sees it. */
export class DashboardPage {
  readonly search: Locator
  readonly state: Locator
  readonly rows: Locator
  readonly dialog: Locator
  readonly chosen: Locator
  readonly title: Locator

  constructor(readonly page: Page) {
    this.search = page.getByRole('searchbox', { name: 'Search your links' })
    this.state = page.getByRole('combobox', { name: 'Status' })
    this.rows = page.getByRole('table').locator('tbody').getByRole('row')
    this.dialog = page.getByRole('dialog')
    this.chosen = page.getByRole('region', { name: 'Selected links' })
    this.title = page.getByRole('heading', { level: 1 })
  }

  async open(query = ''): Promise<void> {
    await this.page.goto(`/dashboard${query}`)
    await this.untilLoaded()
  }

  /** Opens the form for a new link, with its options, and fills in where it leads and its code. */
  async startLink(code: string, url = 'https://example.com/all'): Promise<void> {
    await this.open()
    await this.page.getByRole('button', { name: 'Create link' }).first().click()
    await this.dialog.getByLabel('URL to shorten').fill(url)
    await this.dialog.getByText('Options', { exact: true }).click()
    await this.dialog.getByLabel('Back-half').fill(code)
  }

  async untilLoaded(): Promise<void> {
    await expect(this.page.locator('main table[aria-busy=true]')).toHaveCount(0)
    await expect(this.page.locator('.skeleton')).toHaveCount(0)
  }

  /** The row of a link, by its code. */
  row(code: string): Locator {
    return this.rows.filter({ has: this.page.getByRole('button', { name: new RegExp(`^(Copy|Restore) .*/${code}$`) }) })
  }

  /** The codes in sight, in their order. */
  async codes(): Promise<string[]> {
    const names = await this.rows
      .getByRole('checkbox')
      .evaluateAll((boxes) => boxes.map((box) => (box as HTMLInputElement).labels?.[0]?.textContent ?? ''))
    return names.map((name) => name.slice(name.indexOf('/') + 1))
  }

  /** Opens the menu of a row and chooses from it. */
  async choose(code: string, item: string): Promise<void> {
    await this.row(code)
      .getByRole('button', { name: /^More actions for / })
      .click()
    await this.page.getByRole('menuitem', { name: item }).click()
  }

  async tick(...codes: string[]): Promise<void> {
    for (const code of codes) await this.row(code).getByRole('checkbox').check()
  }
}
