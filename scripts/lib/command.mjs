import { constants } from 'node:os'
import { complain, Interrupted } from './report.mjs'

/** What Next.js 16 and Prisma 7 need, and what `engines` in package.json says. */
const OLDEST_NODE = { major: 20, minor: 19 }

/**
 * The frame of every script in this folder: checks Node, turns signals into an abort that `main` sees
 * (once: a second Ctrl-C must not cut the orderly stop short), prints a failure, and ends the process.
 *
 * @param {(args: string[], signal: AbortSignal) => Promise<number>} main resolves to the exit code
 */
export async function command(main) {
  requireNode()
  const stop = new AbortController()
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(name, () => stop.abort(name))
  }
  stopWithNpm(stop)
  // A closed terminal or pipe must not end the process while it still has servers to stop.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

  try {
    process.exitCode = await main(process.argv.slice(2), stop.signal)
  } catch (error) {
    if (!(error instanceof Interrupted)) complain(error)
    process.exitCode = stop.signal.aborted ? signalExitCode(stop.signal.reason) : 1
  }
  process.exit()
}

/**
 * npm runs a script through a shell and passes a signal on to that shell alone, which dies of it without
 * telling us. Then our parent is another process than before.
 *
 * @param {AbortController} stop
 */
function stopWithNpm(stop) {
  if (process.env.npm_lifecycle_event === undefined) return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid !== parent) stop.abort('SIGTERM')
  }, 250)
  watch.unref()
}

/**
 * @param {NodeJS.Signals} name
 * @returns {number} the exit code by which a shell reports a death by this signal
 */
export function signalExitCode(name) {
  return 128 + constants.signals[name]
}

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > OLDEST_NODE.major || (major === OLDEST_NODE.major && minor >= OLDEST_NODE.minor)) return
  console.error(
    `terse: this needs Node ${OLDEST_NODE.major}.${OLDEST_NODE.minor} or newer, and this is Node ${process.versions.node}. ` +
      'Install a newer version from https://nodejs.org, then try again.',
  )
  process.exit(1)
}
