import { readdirSync, readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { LANGUAGES, type Language } from '../lib/i18n/languages'
import { makeOwn, signUp } from './support/account'
import { AdminPage } from './support/admin-page'
import { DashboardPage } from './support/dashboard-page'
import { everyPath } from './support/every-path'
import { BASE_URL } from './support/settings'
import { test as base, expect, uniqueCode } from './support/test'
import { expectNothingSticksOut } from './support/widths'
import { withoutScripts } from './support/without-scripts'

const test = base.extend<object, { paths: string[] }>({
  // The same for all that only look at them: an admin, an account and an invitation are made for them.
  paths: [async ({ browser }, use) => use(await everyPath(browser)), { scope: 'worker' }],
})

const OTHERS = (Object.keys(LANGUAGES) as Language[]).filter((language) => language !== 'en')

/** Of a tree of messages: each by its whole key. */
const leaves = (tree: object, prefix = ''): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value] as [string, string]] : leaves(value, `${prefix}${key}.`),
  )

/** All messages of a language, by their whole keys. */
const messagesOf = (language: Language) =>
  readdirSync(`messages/${language}`)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => leaves(JSON.parse(readFileSync(`messages/${language}/${name}`, 'utf8')), `${name.slice(0, -5)}.`))

const ENGLISH = messagesOf('en')
const KEYS = new Set(ENGLISH.map(([key]) => key))

/** Whole English texts that nobody should meet in another language. Short words may be the same in both, or a name. */
function englishOnly(language: Language): Set<string> {
  const own = new Map(messagesOf(language))
  const others = new Set(own.values())
  return new Set(
    ENGLISH.filter(([key, text]) => text.includes(' ') && !/[{<]/.test(text) && own.get(key) !== text && !others.has(text)).map(
      ([, text]) => text,
    ),
  )
}

/** Every text of a page, and every label, but for what is marked as another language's. */
const textsOf = (page: Page) =>
  page.evaluate(() => {
    const foreign = (element: Element | null) => element?.closest('[lang]:not(html), script, style, noscript') != null
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts: string[] = [document.title]
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!foreign(node.parentElement)) texts.push(node.textContent ?? '')
    }
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder], [alt]')) {
      if (foreign(element)) continue
      for (const name of ['aria-label', 'title', 'placeholder', 'alt']) texts.push(element.getAttribute(name) ?? '')
    }
    return texts.map((text) => text.replace(/\s+/g, ' ').trim()).filter((text) => text !== '')
  })

/** Pages that only who is signed in gets to see. */
const OWN = /^\/(admin|dashboard)/

for (const language of OTHERS) {
  test.describe(`every page is whole in ${LANGUAGES[language]}`, () => {
    test.use({ locale: language })

    test('for strangers', async ({ page, paths }) => {
      const open = paths.filter((path) => !OWN.test(path))
      await expectWhole(page, open, language)
    })

    test('for admins, the dashboard', async ({ page, paths }) => {
      await new AdminPage(page).signIn()
      const own = paths.filter((path) => path.startsWith('/dashboard'))
      await expectWhole(page, own, language)
    })

    test('for admins, administration', async ({ page, paths }) => {
      await new AdminPage(page).signIn()
      const own = paths.filter((path) => path.startsWith('/admin'))
      await expectWhole(page, own, language)
    })
  })
}

async function expectWhole(page: Page, paths: string[], language: Language): Promise<void> {
  const english = englishOnly(language)
  expect(paths.length).toBeGreaterThan(2)
  for (const path of paths) {
    await page.goto(path)
    await expect(page.locator('.skeleton')).toHaveCount(0)
    const texts = await textsOf(page)
    expect
      .soft(
        texts.filter((text) => english.has(text) || KEYS.has(text)),
        path,
      )
      .toEqual([])
    expect.soft(await page.locator('html').getAttribute('lang'), path).toBe(language)
    // The longest words; and the header, the same everywhere, in each.
    if (language === 'de' || path === '/') await expectNothingSticksOut(page, path)
  }
}

test.describe('in German, whose words are long, nothing sticks out of', () => {
  test.use({ locale: 'de' })

  test('what opens on a page: links of this browser, deleted links, and what can be done with an account', async ({ page }) => {
    await page.goto('/')
    await expect(page.locator('.skeleton')).toHaveCount(0)
    await page.getByRole('main').getByRole('textbox').first().fill('https://example.com/')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1)
    await expectNothingSticksOut(page)

    const { handle } = await signUp(page)
    const username = uniqueCode('lang')
    const headers = { Origin: BASE_URL }
    expect((await page.request.patch('/api/v1/account', { headers, data: { username } })).status()).toBe(200)
    const { code } = await makeOwn(page, { url: 'https://example.com/' })
    expect((await page.request.delete(`/api/v1/links/${code}`)).status()).toBe(204)
    const dashboard = new DashboardPage(page)
    await dashboard.open('?state=deleted')
    await expect(dashboard.rows).toHaveCount(1)
    await expectNothingSticksOut(page)

    const admin = new AdminPage(page)
    await admin.signIn()
    await admin.open('accounts', { q: handle })
    await admin.look(handle)
    await expectNothingSticksOut(page)
  })
})

test('the footer changes the language for every page after it, with scripts and without', async ({ browser, page }) => {
  await page.goto('/report?link=x')
  await page.getByRole('combobox', { name: 'Language' }).selectOption('Deutsch')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  expect(page.url()).toContain('/report?link=x')
  await page.goto('/sign-in')
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')

  const plain = await withoutScripts(browser)
  await plain.goto('/')
  await plain.getByRole('combobox', { name: 'Language' }).selectOption('Français')
  await plain.getByRole('contentinfo').getByRole('button').first().click()
  await expect(plain.locator('html')).toHaveAttribute('lang', 'fr')
  await plain.context().close()
})

test('what the API refuses is told in the language of who asks', async ({ request }) => {
  const refused = async (language: string) => {
    const answer = await request.post('/api/v1/links', { data: { url: 'nonsense' }, headers: { 'Accept-Language': language } })
    expect(answer.headers()['content-language']).toBe(language)
    return (await answer.json()) as { detail: string; code: string }
  }
  const [english, german] = [await refused('en'), await refused('de')]
  expect(german.code).toBe(english.code)
  expect(german.detail).not.toBe(english.detail)
})
