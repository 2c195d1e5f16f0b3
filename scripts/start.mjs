/**
 * `npm start` and `npm run dev`: everything that the app needs, then the app, then an orderly end.
 *
 *   npm start            build what has changed and serve
 *   npm run dev          serve from the sources, following their changes
 *   npm start -- --help  the settings
 */

import { once } from 'node:events'
import { appEnvironment, SERVER_ARGS, startApp } from './lib/app.mjs'
import { withBacking } from './lib/backing.mjs'
import { buildAll, bundleServer, generatePrismaClient, watchServer } from './lib/build.mjs'
import { command } from './lib/command.mjs'
import { openDataFolder, settingsDataFolder } from './lib/data-folder.mjs'
import { installDependencies } from './lib/dependencies.mjs'
import { runInFront } from './lib/processes.mjs'
import { Fault, print, step } from './lib/report.mjs'
import { loadSettings } from './lib/settings.mjs'

/** @typedef {import('./lib/data-folder.mjs').DataFolder} DataFolder */

/** Exit codes above this one stand for a death by signal. */
const FIRST_SIGNAL_CODE = 128

await command(async (args, signal) => {
  loadSettings()
  switch (args.join(' ')) {
    case '':
      return await withDataFolder((folder) => start(folder, signal))
    case '--dev':
      return await withDataFolder((folder) => startDevelopment(folder, signal))
    case '--help':
      return await help(signal)
    default:
      throw new Fault(
        `unknown argument: ${args.join(' ')}. Use environment variables for settings; \`npm start -- --help\` lists them.`,
      )
  }
})

/** @param {AbortSignal} signal */
async function help(signal) {
  await installDependencies(signal)
  await generatePrismaClient(signal)
  await bundleServer()
  return await runInFront(process.execPath, [...SERVER_ARGS, '--help'], { signal })
}

/**
 * @param {(folder: DataFolder) => Promise<number>} work
 */
async function withDataFolder(work) {
  const folder = await openDataFolder(settingsDataFolder())
  try {
    return await work(folder)
  } finally {
    folder.release()
  }
}

/**
 * @param {DataFolder} folder
 * @param {AbortSignal} signal
 */
async function start(folder, signal) {
  await installDependencies(signal)
  const build = () => buildAll(signal)
  return await withBacking(folder, signal, build, async (backing) => {
    const app = startApp(appEnvironment(folder.dir, backing, 'production'), folder.record('app'))
    void aborted(signal).then(() => step('app stopped', app.stop))
    const code = await app.ended
    // Asked to stop, it has done its work, by whatever code it says so.
    if (signal.aborted) return 0
    // When it gave up by itself it has said why; not when somebody else stopped it.
    if (code === 0 || code > FIRST_SIGNAL_CODE) print(`terse: something else stopped the app (exit code ${code}).`)
    return code
  })
}

/**
 * @param {DataFolder} folder
 * @param {AbortSignal} signal
 */
async function startDevelopment(folder, signal) {
  await installDependencies(signal)
  const prepare = () => generatePrismaClient(signal)
  return await withBacking(folder, signal, prepare, async (backing) => {
    const env = appEnvironment(folder.dir, backing, 'development')
    /** @type {import('./lib/app.mjs').App | undefined} */
    let app
    // One after the other: the port must be free again before the next one starts.
    let restarts = Promise.resolve()
    const restart = async () => {
      await app?.stop()
      if (signal.aborted) return
      const started = startApp(env, folder.record('app'))
      app = started
      // One that cannot start says why, and may be able to with the next change.
      void started.ended.then((code) => {
        if (code !== 0) print(`terse: the app stopped (exit code ${code}). It starts again when you change a file.`)
      })
    }
    const watching = await watchServer(() => {
      restarts = restarts.then(restart)
    })
    await aborted(signal)
    await watching.dispose()
    await restarts
    await app?.stop()
    return 0
  })
}

/**
 * @param {AbortSignal} signal
 * @returns {Promise<void>} settles when it is aborted, or at once when it was
 */
async function aborted(signal) {
  if (!signal.aborted) await once(signal, 'abort')
}
