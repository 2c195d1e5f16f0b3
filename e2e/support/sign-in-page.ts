import { expect, type Locator, type Page } from '@playwright/test'

/** Signing in, as a person sees it. */
export class SignInPage {
  readonly login: Locator
  readonly password: Locator
  readonly submit: Locator
  readonly code: Locator
  readonly passkey: Locator

  constructor(readonly page: Page) {
    this.login = page.getByLabel('Email or handle')
    this.password = page.getByLabel('Password', { exact: true })
    this.submit = page.getByRole('button', { name: 'Sign in', exact: true })
    this.code = page.getByLabel(/^(Code|Backup code)$/)
    this.passkey = page.getByRole('button', { name: 'Sign in with a passkey' })
  }

  async open(query = ''): Promise<void> {
    await this.page.goto(`/sign-in${query}`)
    // Enabled once React has taken over.
    await expect(this.passkey).toBeEnabled()
  }

  async enter(login: string, password: string): Promise<void> {
    await this.login.fill(login)
    await this.password.fill(password)
    await this.password.press('Enter')
  }

  async enterCode(code: string): Promise<void> {
    await this.code.fill(code)
    await this.code.press('Enter')
  }
}
