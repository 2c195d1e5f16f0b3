import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Holder, writeWhole } from './write-file'

/** Where nightly copies are put. */
export interface CopyTarget {
  /**
   * Puts a file there, which is seen under its name once it is whole.
   * @param pieces its text, which is compressed by gzip
   * @param holder where others may put it too
   * @returns its size in bytes
   */
  put(name: string, pieces: AsyncIterable<string>, signal: AbortSignal, holder?: Holder): Promise<number>
  /** The names of the files that are there. */
  list(signal: AbortSignal): Promise<string[]>
  /** Deletes a file that may be gone already. */
  remove(name: string, signal: AbortSignal): Promise<void>
}

/** A folder, which is created if it isn't there. */
export class FolderTarget implements CopyTarget {
  constructor(private readonly folder: string) {}

  async put(name: string, pieces: AsyncIterable<string>, signal: AbortSignal, holder?: Holder): Promise<number> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    return await writeWhole(join(this.folder, name), pieces, { gzip: true, signal, holder })
  }

  async list(): Promise<string[]> {
    const entries = await readdir(this.folder, { withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.folder, name), { force: true })
  }
}
