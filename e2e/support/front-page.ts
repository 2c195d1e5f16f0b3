import { expect, type Locator, type Page } from '@playwright/test'

/** The front page, as a person sees it. */
export class FrontPage {
  readonly url: Locator
  readonly code: Locator
  readonly expires: Locator
  readonly password: Locator
  readonly shorten: Locator
  readonly result: Locator
  readonly rows: Locator
  readonly dialog: Locator

  constructor(readonly page: Page) {
    const form = page.getByRole('form', { name: 'Shorten a URL' })
    this.url = form.getByLabel('URL to shorten')
    this.code = form.getByLabel('Back-half')
    this.expires = form.getByLabel('Expires')
    this.password = form.getByLabel('Password', { exact: true })
    this.shorten = form.getByRole('button', { name: 'Shorten' })
    this.result = page.getByRole('region', { name: 'Your short link' })
    this.rows = page.getByRole('region', { name: 'Your links on this device' }).getByRole('listitem')
    this.dialog = page.getByRole('dialog')
  }

  async open(): Promise<void> {
    await this.page.goto('/')
    await this.untilAlive()
  }

  /** Until React has taken over: the list of links is known only then. */
  async untilAlive(): Promise<void> {
    await expect(this.page.getByText('No links yet').or(this.rows.first())).toBeVisible()
  }

  async openOptions(): Promise<void> {
    await this.page.getByText('Options', { exact: true }).click()
    await expect(this.code).toBeVisible()
  }

  /** Makes a link and returns its short URL. */
  async make(url: string): Promise<string> {
    await this.url.fill(url)
    await this.url.press('Enter')
    return await this.shortUrl()
  }

  /** The short URL of the result. */
  async shortUrl(): Promise<string> {
    const href = await this.result.getByRole('link').first().getAttribute('href')
    if (href === null) throw new Error('the result has no link')
    return href
  }

  /** The row of a short URL in the list of links. */
  row(shortUrl: string): Locator {
    return this.rows.filter({ has: this.page.locator(`a[href="${shortUrl}"]`) })
  }

  /** The message that a field is described by as its error. */
  async errorOf(field: Locator): Promise<Locator> {
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    const described = (await field.getAttribute('aria-describedby')) ?? ''
    const id = described.split(' ').find((part) => part.endsWith('-error'))
    return this.page.locator(`[id="${id}"]`)
  }

  clipboard(): Promise<string> {
    return this.page.evaluate(() => navigator.clipboard.readText())
  }
}
