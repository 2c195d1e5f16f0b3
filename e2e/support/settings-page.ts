import { expect, type Locator, type Page } from '@playwright/test'

/** The settings of an account, as a person sees them. */
export class SettingsPage {
  readonly dialog: Locator
  readonly sessions: Locator
  readonly passkeys: Locator
  readonly keys: Locator

  constructor(readonly page: Page) {
    this.dialog = page.getByRole('dialog')
    this.sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')
    this.passkeys = page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem')
    this.keys = page.getByRole('list', { name: 'API keys' }).getByRole('listitem')
  }

  async open(part: '' | '/security' | '/keys' | '/webhooks' | '/data' = ''): Promise<void> {
    await this.page.goto(`/dashboard/settings${part}`)
    await this.untilLoaded()
  }

  async untilLoaded(): Promise<void> {
    await expect(this.page.locator('.skeleton')).toHaveCount(0)
    if (this.page.url().endsWith('/security')) await expect(this.sessions.filter({ hasText: 'This browser' })).toBeVisible()
  }

  /** A part of the page, by its title. */
  card(title: string): Locator {
    return this.page.getByRole('region', { name: title, exact: true })
  }

  /** What the dialog shows only once stays, whatever is pressed beside the button that says it is kept. */
  async expectKept(): Promise<void> {
    const { page, dialog } = this
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    await expect(dialog.getByRole('button', { name: 'Close' })).toHaveCount(0)
    await expect(dialog).toBeVisible()
  }

  /** Confirms with the password, where a dialog asks for it. */
  async confirm(password: string): Promise<void> {
    await this.dialog.getByLabel('Your password').fill(password)
    await this.page.keyboard.press('Enter')
  }

  /** Turns the second factor on. @returns its secret, and the backup codes */
  async enrol(
    password: string,
    codeOf: (secret: string) => string | Promise<string>,
  ): Promise<{ secret: string; backupCodes: string[] }> {
    await this.card('Two-factor authentication').getByRole('button', { name: 'Set up' }).click()
    await this.confirm(password)
    await expect(this.dialog.getByRole('img', { name: 'QR code with the setup key' })).toBeVisible()
    const secret = (await this.dialog.locator('code').textContent()) ?? ''
    await this.dialog.getByRole('textbox', { name: 'Code' }).fill(await codeOf(secret))
    await this.page.keyboard.press('Enter')
    const codes = this.dialog.getByRole('list', { name: 'Backup codes' }).getByRole('listitem')
    await expect(codes).toHaveCount(10)
    await expect(this.dialog.getByRole('button', { name: 'Copy the backup codes' })).toBeFocused()
    return { secret, backupCodes: await codes.allTextContents() }
  }
}
