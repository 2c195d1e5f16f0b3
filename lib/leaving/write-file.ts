import { createWriteStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

/** Who writes a file that others may write too. */
export interface Holder {
  /** Theirs alone: what they write lies under a name of its own until it is whole. */
  id: string
  /** Asked when the file is whole, before it has its name. @throws when it is another's by now */
  confirm: () => Promise<void>
}

/**
 * Writes a file that only its owner can read. It has its name once it is whole and on the disk, so that no half file ever stands
 * there; what was there before stays until then.
 * @returns its size in bytes
 * @throws what `pieces` throws, AbortError, or why the file cannot be written
 */
export async function writeWhole(
  file: string,
  pieces: AsyncIterable<string>,
  { gzip, signal, holder }: { gzip: boolean; signal?: AbortSignal; holder?: Holder | undefined },
): Promise<number> {
  const part = holder ? `${file}.${holder.id}.part` : `${file}.part`
  try {
    const target = createWriteStream(part, { mode: 0o600, flags: holder ? 'wx' : 'w' })
    const source = Readable.from(pieces)
    await (gzip ? pipeline(source, createGzip(), target, { signal }) : pipeline(source, target, { signal }))
    const handle = await open(part, 'r+')
    await handle.sync().finally(() => handle.close())
    await holder?.confirm()
    await rename(part, file)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
  return (await stat(file)).size
}
