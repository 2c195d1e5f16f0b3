import type { Logger } from 'pino'
import type { Registry } from '@/lib/codes/registry'
import { marks } from '@/lib/db/literal'
import { pieces } from '@/lib/db/pieces'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import { Loop } from '@/lib/tools/loop'
import { readRecords } from './mysql-records'
import { INTERVAL, type Outbox, type OutboxRow } from './outbox'
import { publishReconciled } from './publish-change'
import { changeOf } from './record'

/** Rows that are brought to Redis at once, with two queries and one statement to remove them. */
const GROUP = 100

/**
 * Brings what is in the outbox to Redis, with what MySQL holds now, and then removes the rows. Apart from reading the
 * outbox, which must go on meanwhile. Several processes may be at it: to publish a record twice does no harm.
 */
export class OutboxReplay {
  private readonly loop = new Loop({
    every: INTERVAL,
    run: () => this.replay(),
    onFailure: (err) => this.log.debug({ err }, 'outbox not replayed'),
  })
  /** When this process first saw each row that it sees, by performance.now(). */
  private seenSince: ReadonlyMap<bigint, number> = new Map()

  constructor(
    private readonly db: SqlGateway,
    private readonly registry: Registry,
    private readonly outbox: Outbox,
    private readonly log: Logger,
  ) {}

  /** Not waited for: there may be much to bring. */
  async start(): Promise<void> {
    void this.loop.start()
  }

  /** @throws TerseError 'unavailable' when MySQL does not answer */
  private async replay(): Promise<void> {
    const unheard = this.unheard()
    let done = 0
    for (const group of pieces(unheard, GROUP)) {
      if (this.loop.isStopped) break
      const replayed = await this.replayGroup(group)
      done += replayed
      if (replayed === 0) break // Redis is still away; the rows stay.
    }
    if (done > 0) this.log.info({ done, of: unheard.length }, 'outbox replayed')
  }

  /** Rows that their writers are not just about to remove, as most are. */
  private unheard(): OutboxRow[] {
    const { rows } = this.outbox
    const now = performance.now()
    this.seenSince = new Map(rows.map(({ id }) => [id, this.seenSince.get(id) ?? now]))
    // The writer's clock may be ahead of ours by hours: how long we have seen the row holds whatever it says.
    const isOld = ({ id, createdAt }: OutboxRow) =>
      now - (this.seenSince.get(id) ?? now) > INTERVAL || Date.now() - createdAt.getTime() > INTERVAL
    return rows.filter(isOld)
  }

  /** @returns how many rows Redis took; the others stay */
  private async replayGroup(group: readonly OutboxRow[]): Promise<number> {
    const records = await readRecords(
      this.db,
      group.map((row) => row.fullShortUrl),
    )
    const results = await Promise.allSettled(
      group.map(async ({ fullShortUrl }) => {
        const record = records.get(fullShortUrl)
        if (record) await publishReconciled(this.registry, this.db, changeOf(fullShortUrl, record), null)
        // It was renamed (lib/links/rename.ts). What was created under this name since is read again.
        else await this.registry.forget(fullShortUrl, '')
      }),
    )
    const heard = group.filter((_, i) => results[i]?.status === 'fulfilled').map((row) => row.id)
    if (heard.length > 0) await this.db.change(`DELETE FROM Outbox WHERE id IN (${marks(heard)})`, ...heard)
    return heard.length
  }

  close(): void {
    void this.loop.stop()
  }
}
