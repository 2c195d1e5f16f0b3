import { openAsBlob, readFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { UsageError } from './exit.js'

/** As messages name a file. */
export const nameOf = (file: string) => (file === '-' ? 'standard input' : file)

/** The text of a file; of standard input for `-`. @throws UsageError where it can't be read */
export function readText(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    throw unreadable(file, error)
  }
}

/** A file to send, without holding it in memory; all of standard input for `-`. @throws UsageError where it can't be read */
export async function readBlob(file: string): Promise<Blob> {
  if (file === '-') return new Response(Readable.toWeb(process.stdin) as ReadableStream).blob()
  try {
    // `openAsBlob` takes folders, and doesn't say what is wrong with a file: opening it does.
    const handle = await open(file)
    const isFolder = (await handle.stat().finally(() => handle.close())).isDirectory()
    if (isFolder) throw Object.assign(new Error('is a directory'), { code: 'EISDIR' })
    return await openAsBlob(file)
  } catch (error) {
    throw unreadable(file, error)
  }
}

const REASONS: Record<string, string> = {
  ENOENT: 'there’s no such file.',
  EISDIR: 'it’s a folder.',
  EACCES: 'you may not read it.',
}

function unreadable(file: string, error: unknown): UsageError {
  const { code = '', message = String(error) } = error as { code?: string; message?: string }
  return new UsageError(`Can’t read ${nameOf(file)}: ${REASONS[code] ?? message}`)
}
