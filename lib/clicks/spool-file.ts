import { randomBytes } from 'node:crypto'
import { rename, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

/*
 * Who a file of the spool belongs to.
 *
 * A file belongs to the process that gave it its name; no name is ever used twice. To take a file is to rename it, which
 * succeeds for one process only. The process that wrote to it looks for the name after each write, before it says
 * that a line is kept: a name that is still there was not taken before the write, so a process that takes the file later reads
 * that line; one that is gone means that the line is written again, into a new file. So a file that is taken by mistake,
 * since a clock jumped or a machine slept, costs some work and no click. Nothing here depends on the time, on process numbers, or
 * on being in one container; it depends on a file system whose renames everyone sees at once, as every local one's are.
 */

export const SPOOL_SUFFIX = '.clicks'

/** A new name. Names sort by when their file was begun. @param begun ms since 1970 */
export const newFileName = (begun: number) => `${begun}-${token()}.${token()}${SPOOL_SUFFIX}`

const token = () => randomBytes(6).toString('hex')

/** `<begun>-<token>` stays the same, whichever process has the file. Releases before this one gave no second token. */
const renamed = (name: string) => `${name.slice(0, -SPOOL_SUFFIX.length).split('.')[0]}.${token()}${SPOOL_SUFFIX}`

/** Takes a file from whatever process has it. @returns its new name, or null if another took it first */
export async function adoptFile(dir: string, name: string): Promise<string | null> {
  // Touched first, so that a process that looks now does not find it abandoned still.
  if (!(await touchFile(dir, name))) return null
  const own = renamed(name)
  return (await isPresent(rename(join(dir, name), join(dir, own)))) ? own : null
}

/** Shows others that somebody is at work on a file. @returns false if it was taken */
export function touchFile(dir: string, name: string): Promise<boolean> {
  const now = Date.now() / 1000
  return isPresent(utimes(join(dir, name), now, now))
}

/** Whether a file still has this name: nobody took it. @throws what the file system says */
export function isStillThere(dir: string, name: string): Promise<boolean> {
  return isPresent(stat(join(dir, name)))
}

async function isPresent(asked: Promise<unknown>): Promise<boolean> {
  return (await orMissing(asked.then(() => true))) === true
}

/** What a call of the file system gives, or undefined where there is no such file. @throws any other refusal */
export function orMissing<T>(asked: Promise<T>): Promise<T | undefined> {
  return asked.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}
