import { expect, type Locator, type Page } from '@playwright/test'
import { ADMIN, BASE_URL } from './settings'

export type Section = '' | 'links' | 'accounts' | 'reports' | 'blocklist' | 'domains' | 'system' | 'audit' | 'setup'

/** The pages for admins, as one of them sees them. */
export class AdminPage {
  readonly title: Locator
  readonly rows: Locator
  /** A dialog, or a drawer beside the list: the last one opened. */
  readonly dialog: Locator
  readonly chosen: Locator

  constructor(readonly page: Page) {
    this.title = page.getByRole('heading', { level: 1 })
    this.rows = page.getByRole('table').locator('tbody').getByRole('row')
    this.dialog = page.getByRole('dialog').last()
    this.chosen = page.getByRole('region', { name: 'Selected links' })
  }

  /** Signs this browser in as the admin that there is from the start. */
  async signIn(): Promise<void> {
    const answer = await this.page.request.post('/api/auth/sign-in/email', { headers: { Origin: BASE_URL }, data: ADMIN })
    expect(answer.status()).toBe(200)
  }

  async open(section: Section, query: Record<string, string> = {}): Promise<void> {
    const search = new URLSearchParams(query).toString()
    await this.page.goto(`/admin${section && `/${section}`}${search && `?${search}`}`)
    await this.untilLoaded()
  }

  async untilLoaded(): Promise<void> {
    await expect(this.title).toBeVisible()
    await expect(this.page.locator('.skeleton')).toHaveCount(0)
    await expect(this.page.locator('main [aria-busy=true]')).toHaveCount(0)
  }

  /** The row that holds a text. */
  row(text: string): Locator {
    return this.rows.filter({ hasText: text })
  }

  /** Looks into what a row is about. */
  async look(text: string): Promise<void> {
    await this.row(text).getByRole('button').and(this.page.locator('[aria-haspopup=dialog]')).click()
    await expect(this.dialog.locator('.skeleton')).toHaveCount(0)
  }

  /** Opens the menu of a row and chooses from it. */
  async choose(text: string, item: string): Promise<void> {
    await this.row(text)
      .getByRole('button', { name: /^Actions for / })
      .click()
    await this.page.getByRole('menuitem', { name: item }).click()
  }

  toast(text: string): Locator {
    return this.page.getByRole('listitem').filter({ hasText: text })
  }
}
