/** `npm run bench`: the benchmark of bench/run.ts on servers of its own. Arguments are passed on to it. */

import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { buildAll, bundleBenchmark } from './lib/build.mjs'
import { command } from './lib/command.mjs'
import { installDependencies } from './lib/dependencies.mjs'
import { runInFront } from './lib/processes.mjs'
import { step } from './lib/report.mjs'
import { withTemporaryServers } from './lib/temporary-servers.mjs'
import { ensureTools } from './lib/tools.mjs'
import { startServers } from './servers.mjs'

await command(async (args, signal) => {
  await installDependencies(signal)
  const { wrk, headlessShell } = await ensureTools(['wrk', 'headlessShell'], signal)
  await buildAll(signal)
  const benchmark = await step('benchmark', bundleBenchmark)
  /** @type {typeof withTemporaryServers} */
  const withServers =
    args[0] === 'large' ? (_purpose, _signal, work) => withKeptServers(keptFolder(args), work) : withTemporaryServers
  return await withServers('bench', signal, (servers, dir) =>
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

/**
 * Servers whose data stay for the next run.
 *
 * @template T
 * @param {string} dir
 * @param {(servers: import('./servers.mjs').Servers, dir: string) => Promise<T>} work
 * @returns {Promise<T>}
 */
async function withKeptServers(dir, work) {
  const servers = await step('private servers', () => startServers({ dir }))
  try {
    return await work(servers, dir)
  } finally {
    await servers.stop()
  }
}

/** @param {string[]} args */
function keptFolder(args) {
  const { values } = parseArgs({ args: args.slice(1), options: { folder: { type: 'string' } }, strict: false })
  return path.resolve(typeof values.folder === 'string' ? values.folder : path.join(os.tmpdir(), 'terse-bench-large'))
}
