import { run } from './processes.mjs'
import { step } from './report.mjs'
import { hashFiles, unlessFresh } from './stamp.mjs'

/**
 * Installs the npm packages when package-lock.json is not the one they were installed from.
 *
 * @param {AbortSignal} signal
 */
export async function installDependencies(signal) {
  // Some packages bring a binary for one kind of machine: a folder that moved to another is stale too.
  const inputs = hashFiles(['package-lock.json'], [process.platform, process.arch])
  await step('dependencies', async ({ doing, note }) => {
    doing('installing dependencies (npm ci)')
    // With the development ones, whatever NODE_ENV or npm's settings say: the build needs them.
    const args = ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund']
    if (!(await unlessFresh('node_modules', inputs, () => run('npm', args, { signal })))) note('up to date')
  })
}
