/** Example data: believable, of nobody. Made through the API, but for the days before today, on which no API can put a click. */

import http from 'node:http'
import { createConnection } from 'mariadb'

/** @typedef {import('@playwright/test').Page} Page */

/**
 * @typedef {object} Example
 * @property {string} origin
 * @property {Awaited<ReturnType<import('@playwright/test').BrowserContext['storageState']>>} session of the owner
 * @property {string} hero the code with the most clicks
 * @property {string} locked the code with a password
 * @property {string} profile path of the owner's public page
 * @property {(page: Page) => Promise<void>} signInAsAdmin
 */

export const ADMIN = { email: 'admin@example.com', password: 'an admin of the pictures' }
const OWNER = { name: 'Mia Northwind', email: 'mia@example.com', password: 'an owner of the pictures' }
const HERO = 'spring'
const LOCKED = 'press'

/** Oldest first. `share`: of its clicks in those of the first. */
const LINKS = [
  {
    code: 'walks',
    url: 'https://maps.northwind.example/walks?season=all',
    title: 'Walks of the week',
    listed: true,
    share: 0.34,
  },
  { code: 'newsletter', url: 'https://www.northwind.example/newsletter', title: 'Newsletter', listed: true, share: 0.52 },
  {
    code: 'podcast-12',
    url: 'https://podcast.northwind.example/12-night-trains',
    title: 'Podcast 12: Night trains',
    listed: true,
    share: 0.21,
  },
  { code: 'press', url: 'https://www.northwind.example/press/2026', title: 'Press kit', password: 'night train', share: 0.05 },
  { code: 'early-bird', url: 'https://tickets.northwind.example/early-bird', title: 'Early bird', expiresIn: 9, share: 0.4 },
  { code: 'menu', url: 'https://cafe.northwind.example/menu.pdf', title: 'Café menu', listed: true, share: 0.16 },
  { code: 'jobs', url: 'https://www.northwind.example/about/jobs', title: 'Jobs', share: 0.09 },
  {
    code: HERO,
    url: 'https://www.northwind.example/shop/spring-catalog?utm_source=qr',
    title: 'Spring catalog',
    listed: true,
    share: 1,
  },
  { code: 'survey', url: 'https://forms.northwind.example/reader-survey', title: 'Reader survey', maxClicks: 5_000, share: 0.12 },
]

/** Addresses of networks in these places, who never asked for anything. */
const PLACES = [
  '84.114.24.9',
  '91.65.12.8',
  '91.65.12.8',
  '81.2.69.160',
  '81.2.69.160',
  '90.84.144.3',
  '90.84.144.3',
  '2.138.22.7',
  '73.15.66.1',
  '24.48.0.1',
  '133.11.93.2',
  '1.128.3.4',
  '177.32.10.4',
  '85.240.1.9',
  '85.240.1.9',
  '85.240.1.9',
  '196.25.1.1',
  '49.36.12.3',
]
const AGENTS = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
]
const SOURCES = [
  '',
  '',
  '',
  'https://www.instagram.com/',
  'https://www.instagram.com/',
  'https://t.co/',
  'https://www.google.com/',
  'https://www.google.com/',
  'https://l.facebook.com/',
  'https://www.reddit.com/',
  'https://news.ycombinator.com/',
]
const LANGUAGES = ['en-GB', 'en-US', 'de-DE', 'fr-FR', 'es-ES', 'pt-PT', 'ja-JP']
const CLICKS = 260
const DAYS = 59
/** Between two links, so that the one with the most clicks is as old as they are. */
const MONTH_HOURS = 745

/** The same in each run. Mulberry32. */
function drawing(seed = 7) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}
const random = drawing()
/** @template T @param {readonly T[]} list @returns {T} */
const oneOf = (list) => /** @type {T} */ (list[Math.floor(random() * list.length)])

/**
 * @param {{ browser: import('@playwright/test').Browser, origin: string, host: string, port: number, databaseUrl: string }} where
 * @returns {Promise<Example>}
 */
export async function fillIn({ browser, origin, host, port, databaseUrl }) {
  const context = await browser.newContext({ baseURL: origin })
  const page = await context.newPage()
  await page.goto('/docs')
  await ask(page, 'POST', '/api/auth/sign-up/email', OWNER)
  await ask(page, 'PATCH', '/api/v1/account', { publicProfile: true, username: 'mia' })
  for (const { share: _share, expiresIn, ...link } of LINKS) {
    const expiresAt = expiresIn && new Date(Date.now() + expiresIn * 86_400_000).toISOString()
    await ask(page, 'POST', '/api/v1/links', { ...link, ...(expiresAt && { expiresAt }) })
  }
  await ask(page, 'POST', '/api/v1/spoken', { url: 'https://radio.northwind.example/live', ttl: 86_400 })
  const wanted = LINKS.filter(({ password }) => !password)
  for (const { code, share } of wanted) for (let i = 0; i < CLICKS * share; i++) await click({ host, port, code })
  await untilCounted(page, wanted)
  await giveHistory(databaseUrl)
  const at = (/** @type {number} */ days) => new Date(Date.now() - days * 86_400_000).toISOString()
  await ask(page, 'POST', `/api/v1/links/${HERO}/notes`, { at: at(19), text: 'Newsletter sent' })
  await ask(page, 'POST', `/api/v1/links/${HERO}/notes`, { at: at(6), text: 'On the radio' })
  const session = await context.storageState()
  await context.close()
  return { origin, session, hero: HERO, locked: LOCKED, profile: '/@mia', signInAsAdmin }
}

/** @param {Page} page */
async function signInAsAdmin(page) {
  await page.context().clearCookies()
  await page.goto('/docs')
  await ask(page, 'POST', '/api/auth/sign-in/email', ADMIN)
}

/**
 * A request as the page itself makes it.
 * @param {Page} page
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<unknown>}
 */
async function ask(page, method, path, body) {
  const { ok, text } = await page.evaluate(
    async ({ method, path, body }) => {
      const json = body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
      const response = await fetch(path, { method, ...json })
      return { ok: response.ok, text: await response.text() }
    },
    { method, path, body },
  )
  if (!ok) throw new Error(`${method} ${path}: ${text}`)
  return text === '' ? null : JSON.parse(text)
}

/** @param {{ host: string, port: number, code: string }} link @returns {Promise<void>} */
function click({ host, port, code }) {
  const referer = oneOf(SOURCES)
  const headers = {
    Host: host,
    'User-Agent': oneOf(AGENTS),
    'Accept-Language': oneOf(LANGUAGES),
    // Another visitor each time, in the same network.
    'X-Forwarded-For': oneOf(PLACES).replace(/\d+$/, String(1 + Math.floor(random() * 250))),
    ...(referer && { Referer: referer }),
  }
  return new Promise((resolve, reject) => {
    http
      .get({ host: '127.0.0.1', port, path: `/${code}`, headers }, (response) => {
        response.resume()
        response.on('end', resolve)
      })
      .on('error', reject)
  })
}

/** @param {Page} page @param {readonly { code: string, share: number }[]} wanted */
async function untilCounted(page, wanted) {
  const expected = wanted.reduce((sum, { share }) => sum + Math.ceil(CLICKS * share), 0)
  for (;;) {
    const { links } = /** @type {{ links: { clicks: number }[] }} */ (await ask(page, 'GET', '/api/v1/links?limit=100'))
    if (links.reduce((sum, { clicks }) => sum + clicks, 0) >= expected) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** How busy an hour of the day is. */
const HOURS = Array.from(
  { length: 24 },
  (_, hour) => 0.15 + Math.exp(-(((hour - 12) / 4) ** 2)) + 0.8 * Math.exp(-(((hour - 19) / 2.5) ** 2)),
)

/** How busy a day is, so many days ago: less at weekends, more of late and after each of the notes. */
function busyness(/** @type {number} */ daysAgo) {
  const weekday = new Date(Date.now() - daysAgo * 86_400_000).getUTCDay()
  const after = (/** @type {number} */ note) => (daysAgo <= note ? 1.1 * Math.exp(-(note - daysAgo) / 2.2) : 0)
  return (
    (0.55 + 0.35 * (1 - daysAgo / DAYS) + after(19) + after(6)) *
    (weekday === 0 || weekday === 6 ? 0.6 : 1) *
    (0.85 + 0.3 * random())
  )
}

/** Repeats the clicks of today on the days before, by hour and by day, and lets the links be as old as that. */
async function giveHistory(/** @type {string} */ databaseUrl) {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl)
  const db = await createConnection({
    ...{ host: hostname, port: Number(port || 3306), user: decodeURIComponent(username) },
    ...{ password: decodeURIComponent(password), database: pathname.slice(1), bigIntAsNumber: false },
  })
  const today = await db.query(
    `SELECT linkId, dimension, value, SUM(clicks) AS clicks, SUM(visitors) AS visitors, SUM(bots) AS bots, SUM(previews) AS previews
       FROM ClickRollup WHERE span = 1 GROUP BY linkId, dimension, value`,
  )
  const day = Math.floor(Date.now() / 86_400_000)
  const rows = []
  for (let ago = 1; ago <= DAYS; ago++) {
    const factor = busyness(ago)
    for (const row of today) rows.push(...dayOf(row, (day - ago) * 24, factor))
  }
  for (let i = 0; i < rows.length; i += 2_000) {
    await db.batch(
      'INSERT INTO ClickRollup (linkId, dimension, value, span, hour, clicks, visitors, bots, previews) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
      rows.slice(i, i + 2_000),
    )
  }
  // What all links had is counted by day alone.
  await db.query(
    `INSERT INTO ClickRollup (linkId, dimension, value, span, hour, clicks, visitors, bots, previews)
     SELECT 0, 0, '', 24, hour, SUM(clicks), SUM(visitors), SUM(bots), SUM(previews) FROM ClickRollup
      WHERE linkId > 0 AND dimension = 0 AND span = 24 AND hour < ? GROUP BY hour`,
    [day * 24],
  )
  await db.query(
    'UPDATE Link SET clicks = (SELECT COALESCE(SUM(clicks), 0) FROM ClickRollup WHERE linkId = Link.id AND dimension = 0 AND span = 24)',
  )
  const links = await db.query('SELECT id FROM Link ORDER BY id DESC')
  for (const [i, { id }] of links.entries()) {
    await db.query('UPDATE Link SET createdAt = createdAt - INTERVAL ? HOUR WHERE id = ?', [i * MONTH_HOURS, id])
  }
  await db.end()
}

/**
 * A day of what is counted of a link, and its hours.
 * @param {Record<string, unknown>} row
 * @param {number} first hour of the day
 * @param {number} factor
 */
function dayOf({ linkId, dimension, value, ...counts }, first, factor) {
  const names = /** @type {const} */ (['clicks', 'visitors', 'bots', 'previews'])
  const hours = HOURS.map(() => ({ clicks: 0, visitors: 0, bots: 0, previews: 0 }))
  const sum = HOURS.reduce((all, weight) => all + weight, 0)
  for (const name of names) {
    for (let left = Math.round(Number(counts[name]) * factor * (0.9 + 0.2 * random())); left > 0; left--) {
      let at = random() * sum
      const hour = HOURS.findIndex((weight) => {
        at -= weight
        return at < 0
      })
      const counted = hours[Math.max(0, hour)]
      if (counted) counted[name] += 1
    }
  }
  const all = { clicks: 0, visitors: 0, bots: 0, previews: 0 }
  for (const hour of hours) for (const name of names) all[name] += hour[name]
  const rowOf = (/** @type {number} */ span, /** @type {number} */ hour, /** @type {typeof all} */ counted) => [
    linkId,
    dimension,
    value,
    span,
    hour,
    ...names.map((name) => counted[name]),
  ]
  if (names.every((name) => all[name] === 0)) return []
  const busy = hours.flatMap((counted, hour) =>
    names.some((name) => counted[name] > 0) ? [rowOf(1, first + hour, counted)] : [],
  )
  return [...busy, rowOf(24, first, all)]
}
