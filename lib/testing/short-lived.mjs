import { execFileSync } from 'node:child_process'

/** What each version of V8 calls it differs: those that this one knows are used. */
const FLAGS = [
  '--liftoff-only',
  // Until Node 20, then since Node 22: 20 times of what it is by itself.
  '--interrupt-budget=1320000',
  '--invocation-count-for-maglev=8000',
  '--invocation-count-for-turbofan=60000',
]

/** Node refuses to start with a flag that it does not know. @param {string} flag */
function isKnown(flag) {
  return KNOWN.includes(`${flag.split('=')[0]} (`)
}
const KNOWN = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' })

/**
 * Arguments of Node for a process that lives for seconds. By itself V8 spends a quarter of its processor time on optimising code
 * that hardly runs again: the WebAssembly of Prisma first of all, and what is a little hot at the start.
 */
export const SHORT_LIVED = FLAGS.filter(isKnown)
