import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { alias: [{ find: /^@\//, replacement: fileURLToPath(new URL('./', import.meta.url)) }] },
  test: {
    environment: 'node',
    globalSetup: ['lib/testing/run.ts'],
    include: ['lib/**/*.test.ts', 'tests/**/*.test.ts'],
    // Every file has a database and a Redis of its own, so files may run side by side; more than two at
    // a time only slow each other down on the smallest machine that this must pass on.
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    unstubEnvs: true,
    restoreMocks: true,
  },
})
