import type { Page } from '@playwright/test'

/** Holds back every script that the page asks for from now on. @returns lets them arrive */
export async function holdScripts(page: Page): Promise<() => void> {
  let arrive = () => {}
  const late = new Promise<void>((resolve) => {
    arrive = resolve
  })
  await page.route('**/*.js', async (route) => {
    await late
    await route.continue()
  })
  return arrive
}
