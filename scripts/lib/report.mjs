/**
 * What the launcher says: one line a step with its time, and one clear line when it cannot go on.
 * On a terminal the running steps are shown on a line that is redrawn; elsewhere only whole lines
 * are printed, so that a log file stays readable.
 */

/** Something that a person has to put right. The message says what failed, why, and what to do. */
export class Fault extends Error {
  /**
   * @param {string} message
   * @param {string} [output] what the failing program printed
   */
  constructor(message, output) {
    super(message)
    this.output = output
  }
}

/** The person asked to stop (Ctrl-C, SIGTERM) while a step was running. */
export class Interrupted extends Error {}

const TITLE_WIDTH = 24
/** A step is announced before it is done once it has taken this long (not on a terminal). */
const SLOW_MS = 3_000

/** @typedef {{ title: string, doing: string, since: number }} RunningStep */

/** @type {Set<RunningStep>} */
const running = new Set()
const terminal = process.stdout.isTTY === true

/**
 * Runs `work` as one announced step and returns what it returns.
 *
 * @template T
 * @param {string} title
 * @param {(say: { doing: (text: string) => void, note: (text: string) => void }) => Promise<T> | T} work
 *   `doing` tells what takes long while it does; `note` adds a remark to the finished line.
 * @returns {Promise<T>}
 */
export async function step(title, work) {
  const since = performance.now()
  const self = { title, doing: title, since }
  let note = ''
  running.add(self)
  const redraw = terminal ? setInterval(draw, 200) : undefined
  const slow = terminal ? undefined : setTimeout(() => print(`  … ${self.doing}`), SLOW_MS)
  try {
    const result = await work({
      doing: (text) => {
        self.doing = text
      },
      note: (text) => {
        note = text
      },
    })
    finish('✓')
    return result
  } catch (error) {
    finish(error instanceof Interrupted ? '-' : '✗')
    throw error
  }

  /** @param {string} mark */
  function finish(mark) {
    clearInterval(redraw)
    clearTimeout(slow)
    running.delete(self)
    const remark = note === '' ? '' : `  ${note}`
    print(`  ${mark} ${title.padEnd(TITLE_WIDTH)}${seconds(performance.now() - since)}${remark}`)
  }
}

/**
 * Prints a line of its own, above the line of the running steps.
 *
 * @param {string} text
 */
export function print(text) {
  process.stdout.write(`${terminal ? '\r\x1b[K' : ''}${text}\n`)
  draw()
}

/**
 * @param {number} milliseconds
 * @returns {string} such as `  12.3 s`
 */
export function seconds(milliseconds) {
  return `${(milliseconds / 1000).toFixed(1).padStart(6)} s`
}

/** Prints why a command ends, on stderr. @param {unknown} error */
export function complain(error) {
  if (!(error instanceof Fault)) {
    console.error(error)
    return
  }
  if (error.output) console.error(`${error.output.trimEnd()}\n`)
  console.error(`terse: ${error.message}`)
}

function draw() {
  if (!terminal || running.size === 0) return
  const now = performance.now()
  const texts = [...running].map((one) => `${one.doing} ${Math.floor((now - one.since) / 1000)} s`)
  // Cut to the width: a wrapped line could not be redrawn in place.
  const line = `  … ${texts.join(', ')}`.slice(0, (process.stdout.columns ?? 80) - 1)
  process.stdout.write(`\r\x1b[K${line}`)
}
