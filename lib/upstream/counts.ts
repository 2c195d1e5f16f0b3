import type { SqlGateway } from '@/lib/db/sql-gateway'
import { Background, Loop } from '@/lib/tools/loop'
import type { Asker, UpstreamFailure } from './upstream'

/** How often counts are written, in ms: a process that is killed loses those of so long at most. */
const INTERVAL = 1_000

/**
 * What came of a question. `came`: a link came over. `kept`: the visitor was redirected, and no link could be created.
 */
export type UpstreamEvent = `came.${Asker}` | `kept.${Asker}` | `failed.${UpstreamFailure}` | 'unknown' | 'refused' | 'busy'

/** Counts what came of questions, in memory, and writes it down each second and at the end. */
export class UpstreamCounts extends Background {
  /** By domain and event. */
  private counted = new Map<string, { domainId: number; event: UpstreamEvent; count: number }>()
  protected readonly loop = new Loop({ every: INTERVAL, run: () => this.flush() })

  constructor(private readonly db: SqlGateway) {
    super()
  }

  override async start(): Promise<void> {
    this.loop.startLater()
  }

  add(domainId: number, event: UpstreamEvent, count = 1): void {
    const key = `${domainId} ${event}`
    const known = this.counted.get(key)
    if (known) known.count += count
    else this.counted.set(key, { domainId, event, count })
  }

  /** @throws TerseError 'unavailable': then they are written the next time */
  async flush(): Promise<void> {
    const rows = [...this.counted.values()].sort((a, b) => a.domainId - b.domainId || (a.event < b.event ? -1 : 1))
    if (rows.length === 0) return
    this.counted = new Map()
    try {
      await this.db.change(
        `INSERT INTO UpstreamCount (domainId, event, count, lastAt) VALUES ${rows.map(() => '(?, ?, ?, UTC_TIMESTAMP(3))').join(', ')}
         ON DUPLICATE KEY UPDATE count = count + VALUES(count), lastAt = VALUES(lastAt)`,
        ...rows.flatMap(({ domainId, event, count }) => [domainId, event, count]),
      )
    } catch (error) {
      for (const { domainId, event, count } of rows) this.add(domainId, event, count)
      throw error
    }
  }

  /** Writes what is left, if MySQL takes it. */
  async end(): Promise<void> {
    await this.loop.stop()
    await this.flush().catch(() => {})
  }
}
