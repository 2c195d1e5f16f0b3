/** What each picture shows. */

/**
 * @typedef {object} Picture
 * @property {string} name of its file
 * @property {number} [width] in CSS pixels; 1280
 * @property {number} [height] 800
 * @property {boolean} [dark]
 * @property {boolean} [signedIn] as the owner of the example's links; true
 * @property {(page: import('@playwright/test').Page, example: import('./example.mjs').Example) => Promise<void>} show
 */

/** @type {Picture[]} */
export const PICTURES = [
  {
    name: 'front',
    signedIn: false,
    height: 770,
    async show(page) {
      await page.goto('/')
      await shorten(page, 'https://www.northwind.example/magazine/2026/the-slow-way-to-lisbon')
      await page.getByRole('button', { name: 'Shorten another' }).click()
      await shorten(page, 'https://maps.northwind.example/walks/alfama-by-night?from=rossio')
    },
  },
  { name: 'links', show: (page) => opened(page, '/dashboard') },
  {
    name: 'create',
    async show(page) {
      await opened(page, '/dashboard')
      await page.getByRole('button', { name: 'Create link' }).first().click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox').first().fill('https://www.northwind.example/shop/winter-catalog')
      const options = dialog.getByText('Options', { exact: true })
      if (await options.isVisible()) await options.click()
      await dialog.getByLabel('Back-half').fill('winter')
      await dialog.getByLabel('Title').fill('Winter catalog')
    },
  },
  { name: 'statistics', height: 1330, show: (page, { hero }) => statistics(page, hero) },
  { name: 'statistics-dark', height: 1330, dark: true, show: (page, { hero }) => statistics(page, hero) },
  {
    name: 'commands',
    dark: true,
    async show(page) {
      await opened(page, '/dashboard')
      await page.keyboard.press('ControlOrMeta+k')
      await page.getByRole('dialog').getByRole('combobox').fill('spring')
      await page
        .getByRole('option', { name: /spring/i })
        .first()
        .waitFor()
    },
  },
  { name: 'profile', height: 720, signedIn: false, show: (page, { profile }) => opened(page, profile) },
  { name: 'phone', width: 390, height: 844, dark: true, show: (page) => opened(page, '/dashboard') },
  {
    name: 'system',
    height: 960,
    async show(page, { signInAsAdmin }) {
      await signInAsAdmin(page)
      await opened(page, '/admin/system')
    },
  },
  { name: 'password', height: 640, signedIn: false, show: (page, { locked }) => opened(page, `/${locked}`) },
]

/**
 * @param {import('@playwright/test').Page} page
 * @param {string} path
 */
async function opened(page, path) {
  await page.goto(path)
  await page.waitForLoadState('networkidle')
}

/**
 * @param {import('@playwright/test').Page} page
 * @param {string} url
 */
async function shorten(page, url) {
  await page.getByLabel('URL to shorten').fill(url)
  await page.getByRole('button', { name: 'Shorten', exact: true }).click()
  await page.getByRole('region', { name: 'Your short link' }).waitFor()
}

/**
 * @param {import('@playwright/test').Page} page
 * @param {string} code
 */
async function statistics(page, code) {
  // Its stream of live clicks never ends.
  await page.goto(`/stats/${code}?range=30d&compare=previous`)
  // With the numbers, which come after the page.
  await page.getByRole('button', { name: 'Add note' }).waitFor()
}
