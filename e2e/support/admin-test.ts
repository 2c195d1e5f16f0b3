import type { Page } from '@playwright/test'
import { AdminPage } from './admin-page'
import { test as base } from './test'

interface Fixtures {
  /** The pages for admins, signed in. */
  admin: AdminPage
  /** The browser of someone else. */
  visitor: Page
}

export const test = base.extend<Fixtures>({
  admin: async ({ page }, use) => {
    const admin = new AdminPage(page)
    await admin.signIn()
    await use(admin)
  },
  visitor: async ({ browser }, use) => {
    const context = await browser.newContext()
    await use(await context.newPage())
    await context.close()
  },
})
