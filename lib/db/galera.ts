import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Connection } from 'mariadb'
import { Loop } from '@/lib/tools/loop'
import { isRetryable, isUniqueViolation, UnfitDatabase } from './errors'

/*
 * What a Galera cluster has that one server has not: several nodes that take writes, each with the locks of its own alone.
 */

/** Bits of wsrep_sync_wait: reads and BEGIN, UPDATE and DELETE, INSERT. */
const SYNC_WAIT = 7

/**
 * Whether the server is a node of a Galera cluster.
 * @throws UnfitDatabase for one that answers before it has applied what other nodes have committed: a link that was just
 *   created would be denied by the process at another node
 */
export async function isGalera(connection: Pick<Connection, 'query'>): Promise<boolean> {
  const rows = await connection.query<{ Variable_name: string; Value: string }[]>(
    "SHOW SESSION VARIABLES WHERE Variable_name IN ('wsrep_on', 'wsrep_sync_wait')",
  )
  const settings = new Map(rows.map(({ Variable_name: name, Value: value }) => [name, value]))
  if (settings.get('wsrep_on') !== 'ON') return false
  if ((Number(settings.get('wsrep_sync_wait')) & SYNC_WAIT) === SYNC_WAIT) return true
  throw new UnfitDatabase(
    `the database is a Galera node that answers before it has applied what others committed: set wsrep_sync_wait=${SYNC_WAIT} on every node`,
  )
}

const TABLE = `
CREATE TABLE IF NOT EXISTS _terse_migrating (
  id     TINYINT PRIMARY KEY NOT NULL,
  holder CHAR(36) NOT NULL,
  beat   BIGINT NOT NULL
)`
/** How often the holder says that it is there, and how often the others look, in ms. */
const INTERVAL = 1_000
/** After so long without a word the holder is taken for dead, in ms. It gives up itself after half of that. */
const SILENT = 15_000
/** An answer that took so long says nothing: while a table is changed the whole cluster waits, and the holder with it. In ms. */
const SLOW = 1_000

interface Row {
  holder: string
  beat: bigint | number
}

/**
 * One process at a time migrates, at whatever node: a row that everyone sees, since GET_LOCK is known to its node only. The
 * holder counts its row up; who finds it unchanged for long, by a clock of its own and in answers that came at once, takes it
 * over.
 */
export class MigrationTurn {
  private readonly holder = randomUUID()
  private readonly loop = new Loop({ every: INTERVAL, run: () => this.beat() })
  /** When the row was last seen to be ours, by performance.now(). */
  private heldAt = 0
  private isLost = false

  /**
   * @param connection of its own, as the one that migrates waits while a table is changed
   * @param onLost called once, when another process has taken over, or will soon, since this one cannot say that it is there
   */
  constructor(
    private readonly connection: Connection,
    private readonly onLost: () => void,
  ) {
    connection.on('error', () => this.lose())
  }

  /** @param patience how long to wait for others, in ms @throws Error when it is over */
  async take(patience: number): Promise<void> {
    await this.connection.query(TABLE)
    const end = performance.now() + patience
    let seen = ''
    let since = performance.now()
    while (!(await this.insert())) {
      const asked = performance.now()
      const [row] = await this.connection.query<Row[]>('SELECT holder, beat FROM _terse_migrating WHERE id = 1')
      const now = performance.now()
      const text = row ? `${row.holder} ${row.beat}` : ''
      if (text !== seen || now - asked > SLOW) since = now
      seen = text
      if (row && now - since > SILENT && (await this.takeOver(row))) break
      if (now > end) throw new Error(`another process has been migrating for over ${patience / 1000} s`)
      await delay(INTERVAL)
    }
    // From now on it only says that it is there, which others are to see at once.
    await this.connection.query('SET SESSION wsrep_sync_wait = 0')
    this.heldAt = performance.now()
    this.loop.startLater()
  }

  private async insert(): Promise<boolean> {
    return this.wrote(() =>
      this.connection.query('INSERT INTO _terse_migrating (id, holder, beat) VALUES (1, ?, 0)', [this.holder]),
    )
  }

  private takeOver({ holder, beat }: Row): Promise<boolean> {
    const sql = 'UPDATE _terse_migrating SET holder = ?, beat = beat + 1 WHERE id = 1 AND holder = ? AND beat = ?'
    return this.wrote(() => this.connection.query(sql, [this.holder, holder, beat]))
  }

  /** Whether a statement changed the row; not if another was quicker, here or at another node. */
  private async wrote(write: () => Promise<{ affectedRows: number }>): Promise<boolean> {
    try {
      return (await write()).affectedRows === 1
    } catch (error) {
      if (isUniqueViolation(error) || isRetryable(error)) return false
      throw error
    }
  }

  /** A wait while a table is changed is no failure: nobody takes over then. */
  private async beat(): Promise<void> {
    try {
      if (await this.isHeld()) this.heldAt = performance.now()
      else this.lose()
    } catch {
      if (performance.now() - this.heldAt > SILENT / 2) this.lose()
    }
  }

  /** Counts the row up. @returns false when it is another's */
  private async isHeld(): Promise<boolean> {
    const sql = 'UPDATE _terse_migrating SET beat = beat + 1 WHERE id = 1 AND holder = ?'
    if (await this.wrote(() => this.connection.query(sql, [this.holder]))) return true
    const [row] = await this.connection.query<Row[]>('SELECT holder, beat FROM _terse_migrating WHERE id = 1')
    return row?.holder === this.holder
  }

  private lose(): void {
    if (this.isLost) return
    this.isLost = true
    this.onLost()
  }

  async end(): Promise<void> {
    await this.loop.stop()
    await this.connection.query('DELETE FROM _terse_migrating WHERE holder = ?', [this.holder]).catch(() => {})
    await this.connection.end()
  }
}
