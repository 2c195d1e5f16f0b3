/** `npm run --silent service`: prints a systemd unit that runs `npm start` from this folder, with these settings. */

import { command } from './lib/command.mjs'
import { settingsDataFolder } from './lib/data-folder.mjs'
import { ROOT } from './lib/processes.mjs'
import { Fault } from './lib/report.mjs'
import { loadSettings } from './lib/settings.mjs'
import { serviceUnit } from './lib/unit.mjs'

await command(async (args) => {
  if (args.length > 0) throw new Fault(`unknown argument: ${args.join(' ')}. The unit follows from the settings.`)
  loadSettings()
  process.stdout.write(serviceUnit({ root: ROOT.replace(/\/$/, ''), dataDir: settingsDataFolder(), node: process.execPath }))
  return 0
})
