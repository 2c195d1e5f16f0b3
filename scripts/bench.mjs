/** `npm run bench`: the benchmark of bench/run.ts on servers of its own. Arguments are passed on to it. */

import { buildAll, bundleBenchmark } from './lib/build.mjs'
import { command } from './lib/command.mjs'
import { installDependencies } from './lib/dependencies.mjs'
import { runInFront } from './lib/processes.mjs'
import { step } from './lib/report.mjs'
import { withTemporaryServers } from './lib/temporary-servers.mjs'
import { ensureTools } from './lib/tools.mjs'

await command(async (args, signal) => {
  await installDependencies(signal)
  const { wrk, headlessShell } = await ensureTools(['wrk', 'headlessShell'], signal)
  await buildAll(signal)
  const benchmark = await step('benchmark', bundleBenchmark)
  return await withTemporaryServers('bench', signal, (servers, dir) =>
    runInFront(process.execPath, ['--enable-source-maps', benchmark, ...args], {
      signal,
      env: {
        ...process.env,
        NODE_ENV: 'production',
        DATABASE_URL: servers.databaseUrl,
        REDIS_URL: servers.redisUrl,
        DATA_DIR: dir,
        APP_SECRET: servers.appSecret,
        RATE_LIMIT: 'off',
        WRK_PATH: wrk,
        CHROMIUM_PATH: process.env.CHROMIUM_PATH ?? headlessShell,
      },
    }),
  )
})
