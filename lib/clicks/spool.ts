import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import { isStillThere, newFileName } from './spool-file'

/** How long one file is written to, in ms. */
export const FILE_LIFETIME = 2_000

interface SpoolFile {
  name: string
  handle: FileHandle
  openedAt: number
  size: number
}

interface Waiting {
  line: string
  resolve: () => void
  reject: (error: unknown) => void
}

/**
 * Clicks on disk while Redis cannot take them, one batch a line. What `append` has taken survives the process;
 * the file is flushed to the disk itself when it is full of age, as Redis does with its own about once a second.
 */
export class Spool {
  private queue: Waiting[] = []
  private writing = false
  private file: SpoolFile | null = null
  private closedFiles: string[] = []

  constructor(private readonly dir: string) {}

  /** Resolves once the operating system has the line. @throws what the file system says; then nothing of it is kept */
  append(line: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.queue.push({ line, resolve, reject })
      if (!this.writing) void this.write()
    })
  }

  /** Writes what waits in one go; what comes meanwhile makes up the next. */
  private async write(): Promise<void> {
    this.writing = true
    while (this.queue.length > 0) {
      const group = this.queue
      this.queue = []
      try {
        await this.writeAll(Buffer.from(group.map(({ line }) => `${line}\n`).join('')))
        for (const { resolve } of group) resolve()
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    this.writing = false
  }

  /** Resolves once the bytes are in a file that nobody had taken by then (./spool-file.ts). */
  private async writeAll(bytes: Buffer): Promise<void> {
    for (;;) {
      const file = await this.current()
      await writeAtEnd(file, bytes)
      if (await isStillThere(this.dir, file.name)) return
      await this.closeFile()
    }
  }

  private async current(): Promise<SpoolFile> {
    if (this.file && performance.now() - this.file.openedAt < FILE_LIFETIME) return this.file
    await this.closeFile()
    await mkdir(this.dir, { recursive: true })
    const name = newFileName(Date.now())
    this.file = { name, handle: await open(join(this.dir, name), 'wx', 0o600), openedAt: performance.now(), size: 0 }
    return this.file
  }

  private async closeFile(): Promise<void> {
    const { file } = this
    this.file = null
    if (!file) return
    // What fails here was taken by the operating system all the same.
    await file.handle.datasync().catch(() => {})
    await file.handle.close().catch(() => {})
    this.closedFiles.push(file.name)
  }

  /** Whether this process writes to a file of that name. */
  isOpen(name: string): boolean {
    return this.file?.name === name
  }

  /** Names of the files that this process is done with, each told once. */
  newlyClosed(): string[] {
    const names = this.closedFiles
    this.closedFiles = []
    return names
  }

  /** Closes the file if it has had its time. */
  async closeStale(): Promise<void> {
    if (!this.writing && this.file && performance.now() - this.file.openedAt >= FILE_LIFETIME) await this.closeFile()
  }

  async close(): Promise<void> {
    await this.closeFile()
  }
}

async function writeAtEnd(file: SpoolFile, bytes: Buffer): Promise<void> {
  try {
    for (let written = 0; written < bytes.length; ) {
      written += (await file.handle.write(bytes, written, bytes.length - written, file.size + written)).bytesWritten
    }
    file.size += bytes.length
  } catch (error) {
    // A full disk may have taken a part. Those who wait are told that nothing was kept, so nothing may be.
    await file.handle.truncate(file.size).catch(() => {})
    throw error
  }
}
