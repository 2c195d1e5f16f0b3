/** The app itself: its environment and its process. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { signalExitCode } from './command.mjs'
import { ROOT, writeProcessRecord } from './processes.mjs'

/** The app drains requests for up to 10 seconds by itself. */
const STOP_PATIENCE_MS = 15_000

/**
 * The settings of the person, and what the launcher adds to them.
 *
 * @param {string} dataDir
 * @param {import('./backing.mjs').Backing} backing
 * @param {'production' | 'development'} mode
 * @returns {NodeJS.ProcessEnv}
 */
export function appEnvironment(dataDir, { databaseUrl, redisUrl, appSecret }, mode) {
  return {
    ...process.env,
    ...(appSecret === undefined ? {} : { APP_SECRET: appSecret }),
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    DATA_DIR: dataDir,
    NODE_ENV: mode,
    // A self-hosted app reports to nobody; Next's development server would.
    NEXT_TELEMETRY_DISABLED: '1',
  }
}

/** The program and arguments by which Node runs the server. */
export const SERVER_ARGS = ['--enable-source-maps', 'dist/server.js']

/**
 * @typedef {object} App
 * @property {Promise<number>} ended resolves to its exit code
 * @property {() => Promise<void>} stop lets it drain; kills it and its workers when that takes too long
 */

/**
 * Starts the server in a session of its own, so that a Ctrl-C reaches only the launcher.
 *
 * @param {NodeJS.ProcessEnv} env
 * @param {string} record file that notes the process
 * @returns {App}
 */
export function startApp(env, record) {
  const child = spawn(process.execPath, SERVER_ARGS, {
    cwd: ROOT,
    env,
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  if (child.pid !== undefined) writeProcessRecord(record, child.pid)
  const lastResort = () => child.kill('SIGTERM')
  process.on('exit', lastResort)

  const ended = once(child, 'exit').then(([code, signal]) => {
    process.off('exit', lastResort)
    rmSync(record, { force: true })
    return code ?? signalExitCode(signal)
  })
  return {
    ended,
    stop: async () => {
      child.kill('SIGTERM')
      // The whole process group, which is named by a negative number.
      const kill = setTimeout(() => child.pid !== undefined && process.kill(-child.pid, 'SIGKILL'), STOP_PATIENCE_MS)
      await ended
      clearTimeout(kill)
    },
  }
}
