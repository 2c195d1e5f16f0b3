/**
 * Runs one of the commands in lib/cli, by its name, with the servers of the settings, or those of the
 * running `npm start`, or its own for the time.
 *
 *   node scripts/run.mjs codes-rebuild [arguments]
 */

import { appEnvironment } from './lib/app.mjs'
import { givenBacking, hasPrivateSecret, withBacking } from './lib/backing.mjs'
import { bundleServer, commandNames, generatePrismaClient } from './lib/build.mjs'
import { command } from './lib/command.mjs'
import { openDataFolder, readRunning, secretsFile, settingsDataFolder } from './lib/data-folder.mjs'
import { installDependencies } from './lib/dependencies.mjs'
import { runInFront } from './lib/processes.mjs'
import { Fault } from './lib/report.mjs'
import { loadSettings } from './lib/settings.mjs'
import { ensureTools } from './lib/tools.mjs'

await command(async ([name = '', ...args], signal) => {
  loadSettings()
  const names = commandNames()
  if (!names.includes(name)) throw new Fault(`unknown command: ${name}. Use one of: ${names.join(', ')}.`)
  await installDependencies(signal)
  await generatePrismaClient(signal)
  await bundleServer()

  const dir = settingsDataFolder()
  const more = await argumentsFor(name, dir, signal)
  /** @param {import('./lib/backing.mjs').Backing} backing */
  const runCommand = (backing) =>
    runInFront(process.execPath, ['--enable-source-maps', `dist/cli/${name}.js`, ...more, ...args], {
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

/**
 * What a command is told beside what the person says.
 *
 * @param {string} name
 * @param {string} dir the data folder
 * @param {AbortSignal} signal
 * @returns {Promise<string[]>}
 */
async function argumentsFor(name, dir, signal) {
  // npm starts every script in the folder of the project.
  const here = `--folder=${process.env.INIT_CWD || process.cwd()}`
  if (name === 'backup') return [here, `--program=${(await ensureTools(['dump'], signal)).dump}`]
  if (name === 'import' || name === 'verify' || name === 'export') return [here]
  if (name === 'restore') return [here, ...(hasPrivateSecret() ? [`--secrets=${secretsFile(dir)}`] : [])]
  return []
}
