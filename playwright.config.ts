import { defineConfig } from '@playwright/test'
import { appSettings, BASE_URL } from './e2e/support/settings'

/** Debian's own Chromium also runs as root, with these arguments. */
const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export default defineConfig({
  testDir: 'e2e',
  fullyParallel: true,
  workers: 2,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  timeout: 30_000,
  use: {
    baseURL: BASE_URL,
    browserName: 'chromium',
    permissions: ['clipboard-read', 'clipboard-write'],
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    // Requests would pass a worker by, and so the tests that answer them. e2e/away.spec.ts is about it.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    launchOptions: { executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium', args: CHROMIUM_ARGS },
  },
  projects: [
    { name: 'desktop', use: { viewport: { width: 1280, height: 800 } } },
    {
      name: 'phone',
      use: { viewport: { width: 360, height: 740 } },
      // Accessibility is looked at on a phone beside the desktop (e2e/support/clean.ts).
      testMatch: ['create.spec.ts', 'stats.spec.ts'],
      // ANY_SIZE in e2e/support/test.ts.
      grepInvert: /@any-size/,
    },
  ],
  webServer: {
    command: 'node e2e/support/serve.mjs',
    env: appSettings(),
    url: `${BASE_URL}/readyz`,
    // A server that is there already could be another build on another database.
    reuseExistingServer: false,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 20_000 },
    stdout: 'ignore',
    stderr: 'pipe',
    timeout: 60_000,
  },
})
