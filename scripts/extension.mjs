import { buildExtension } from './lib/build.mjs'
import { command } from './lib/command.mjs'
import { installDependencies } from './lib/dependencies.mjs'
import { print } from './lib/report.mjs'

await command(async (_args, signal) => {
  await installDependencies(signal)
  const folder = await buildExtension()
  print(
    `\nTo load it in Chrome or Edge, open chrome://extensions, turn on Developer mode, choose Load unpacked and select ${folder}`,
  )
  return 0
})
