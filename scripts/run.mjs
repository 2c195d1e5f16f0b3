/**
 * Runs one of the commands in lib/cli, by its name, with the servers of the settings, or those of the
 * running `npm start`, or its own for the time.
 *
 *   node scripts/run.mjs codes-rebuild [arguments]
 */

import { appEnvironment } from './lib/app.mjs'
import { givenBacking, withBacking } from './lib/backing.mjs'
import { bundleServer, commandNames, generatePrismaClient } from './lib/build.mjs'
import { command } from './lib/command.mjs'
import { openDataFolder, readRunning, settingsDataFolder } from './lib/data-folder.mjs'
import { installDependencies } from './lib/dependencies.mjs'
import { runInFront } from './lib/processes.mjs'
import { Fault } from './lib/report.mjs'
import { loadSettings } from './lib/settings.mjs'

await command(async ([name = '', ...args], signal) => {
  loadSettings()
  const names = commandNames()
  if (!names.includes(name)) throw new Fault(`unknown command: ${name}. Use one of: ${names.join(', ')}.`)
  await installDependencies(signal)
  await generatePrismaClient(signal)
  await bundleServer()

  const dir = settingsDataFolder()
  /** @param {import('./lib/backing.mjs').Backing} backing */
  const runCommand = (backing) =>
    runInFront(process.execPath, ['--enable-source-maps', `dist/cli/${name}.js`, ...args], {
      env: appEnvironment(dir, backing, 'production'),
      signal,
    })

  const { databaseUrl, redisUrl, ...given } = { ...readRunning(dir), ...givenBacking() }
  if (databaseUrl && redisUrl) return await runCommand({ ...given, databaseUrl, redisUrl })
  const folder = await openDataFolder(dir)
  try {
    return await withBacking(folder, signal, async () => {}, runCommand)
  } finally {
    folder.release()
  }
})
