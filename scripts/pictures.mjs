/**
 * `npm run pictures`: starts the app on servers of its own with example data, and takes the pictures of docs/pictures that the
 * README shows. Arguments name those to take; without any, all are taken.
 */

import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { chromium } from '@playwright/test'
import { startApp } from './lib/app.mjs'
import { buildAll } from './lib/build.mjs'
import { command } from './lib/command.mjs'
import { installDependencies } from './lib/dependencies.mjs'
import { freePort } from './lib/loopback.mjs'
import { ROOT } from './lib/processes.mjs'
import { print, step } from './lib/report.mjs'
import { withTemporaryServers } from './lib/temporary-servers.mjs'
import { ADMIN, fillIn } from './pictures/example.mjs'
import { PICTURES } from './pictures/scenes.mjs'

/** The name under which the example shows itself; the browser is told that it is this machine. */
const HOST = 'go.example.com'
/** In bytes: who reads the README loads all of them. */
const MOST = 100 * 1024
const QUALITIES = [88, 80, 70, 60, 45]

await command(async (args, signal) => {
  await installDependencies(signal)
  await buildAll(signal)
  const chosen = PICTURES.filter(({ name }) => args.length === 0 || args.includes(name))
  return await withTemporaryServers('pictures', signal, async ({ databaseUrl, redisUrl, appSecret }, dir) => {
    const port = await freePort()
    /** @type {NodeJS.ProcessEnv} */
    const env = {
      ...process.env,
      NODE_ENV: 'production',
      ...{ DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, DATA_DIR: dir, APP_SECRET: appSecret },
      ...{ PORT: String(port), BASE_URL: `http://${HOST}`, RATE_LIMIT: 'off', LOG_LEVEL: 'warn' },
      // Example clicks come from everywhere.
      TRUSTED_PROXIES: '127.0.0.1,::1',
      ...{ ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password },
    }
    const app = startApp(env, path.join(dir, 'app.json'))
    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: ['--no-sandbox', `--host-resolver-rules=MAP ${HOST}:80 127.0.0.1:${port}`],
    })
    try {
      await untilReady(port, signal)
      const example = await step('example data', () =>
        fillIn({ browser, origin: `http://${HOST}`, host: HOST, port, databaseUrl }),
      )
      mkdirSync(path.join(ROOT, 'docs/pictures'), { recursive: true })
      for (const picture of chosen) await step(picture.name, () => take(browser, picture, example))
    } finally {
      await browser.close()
      await app.stop()
    }
    print(`\n${chosen.length} pictures are in docs/pictures.`)
    return 0
  })
})

/**
 * @param {number} port
 * @param {AbortSignal} signal
 */
async function untilReady(port, signal) {
  for (;;) {
    signal.throwIfAborted()
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/**
 * @param {import('@playwright/test').Browser} browser
 * @param {import('./pictures/scenes.mjs').Picture} picture
 * @param {import('./pictures/example.mjs').Example} example
 */
async function take(browser, { name, width = 1280, height = 800, dark = false, signedIn = true, show }, example) {
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: 2,
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    baseURL: example.origin,
    ...(signedIn && { storageState: example.session }),
  })
  const page = await context.newPage()
  await show(page, example)
  await page.locator('.skeleton, [aria-busy=true]').first().waitFor({ state: 'detached' })
  await page.evaluate(() => document.fonts.ready)
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'))
  const cdp = await context.newCDPSession(page)
  for (const quality of QUALITIES) {
    const { data } = await cdp.send('Page.captureScreenshot', { format: 'webp', quality, optimizeForSpeed: false })
    const bytes = Buffer.from(data, 'base64')
    if (bytes.length > MOST && quality !== QUALITIES.at(-1)) continue
    writeFileSync(path.join(ROOT, `docs/pictures/${name}.webp`), bytes)
    break
  }
  await context.close()
}
