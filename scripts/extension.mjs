import { buildExtension } from './lib/build.mjs'
import { command } from './lib/command.mjs'
import { installDependencies } from './lib/dependencies.mjs'
import { print } from './lib/report.mjs'

await command(async (_args, signal) => {
  await installDependencies(signal)
  const folder = await buildExtension()
  print(`\nLoad it in Chrome or Edge: chrome://extensions → Developer mode → Load unpacked → ${folder}`)
  return 0
})
