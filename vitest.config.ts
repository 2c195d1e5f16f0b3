import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { SHORT_LIVED } from './lib/testing/short-lived.mjs'
import { MESSAGE_ALIAS } from './next.config.js'

/** Need servers that not every machine has: `npm run test:engines -- galera nginx apache`. */
const ONLY_BY_NAME = ['tests/galera.test.ts', 'tests/nginx.test.ts', 'tests/apache.test.ts']

export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('.', import.meta.url)), ...MESSAGE_ALIAS } },
  test: {
    environment: 'node',
    globalSetup: ['lib/testing/run.ts'],
    include: ['lib/**/*.test.ts', 'packages/**/*.test.ts', 'tests/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...ONLY_BY_NAME.filter((file) => !process.argv.includes(file))],
    // Every file has a database and a Redis of its own, so files may run side by side: two at a time keep the two processors of
    // the smallest machine busy. With three, what waits for 50 ms or for a second and a half waited too long now and then.
    maxWorkers: 2,
    // Modules hold no state (docs/decisions/0003-one-runtime.md), so one process runs many files: half of the work of most of
    // them was to load Prisma and the rest again.
    isolate: false,
    execArgv: SHORT_LIVED,
    // For the alias to reach it.
    server: { deps: { inline: ['use-intl', 'icu-minify'] } },
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // As long as `eventually` (lib/testing/eventually.ts): the second that it waits otherwise is short on a busy machine.
    expect: { poll: { timeout: 25_000, interval: 20 } },
    unstubEnvs: true,
    restoreMocks: true,
  },
})
