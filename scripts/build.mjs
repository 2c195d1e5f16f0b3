import { buildAll } from './lib/build.mjs'
import { command } from './lib/command.mjs'
import { installDependencies } from './lib/dependencies.mjs'

await command(async (_args, signal) => {
  await installDependencies(signal)
  await buildAll(signal)
  return 0
})
