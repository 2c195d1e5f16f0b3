import { buildCli } from './lib/cli.mjs'
import { command } from './lib/command.mjs'
import { installDependencies } from './lib/dependencies.mjs'
import { print } from './lib/report.mjs'

await command(async (_args, signal) => {
  await installDependencies(signal)
  const folder = await buildCli(signal)
  print(`\nTo install it: npm install --global ${folder}`)
  return 0
})
