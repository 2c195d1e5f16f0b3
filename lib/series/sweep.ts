import { deleteInPieces } from '@/lib/db/pieces'
import { Loop } from '@/lib/tools/loop'
import { calendarDaysBefore, MINUTE } from '@/lib/tools/time'
import type { SeriesContext } from './context'
import { seriesOf } from './store'

const INTERVAL = 10 * MINUTE
const JITTER = 0.2
/** Series read at a time. */
const BATCH = 200

/** Deletes the numbers of series that were deleted, and of days that are no longer kept. */
export class SeriesSweeper {
  private readonly loop = new Loop({
    every: INTERVAL,
    jitter: JITTER,
    run: () => this.sweep(),
    onFailure: (err) => this.ctx.log.warn({ err }, 'clean-up of series broken off; it goes on next time'),
  })

  constructor(private readonly ctx: SeriesContext) {}

  async start(): Promise<void> {
    this.loop.startLater()
  }

  /** @throws when MySQL fails: the rest is for the next time */
  async sweep(now = new Date()): Promise<void> {
    for (let after = 0n; ; ) {
      const rows = await this.ctx.db.read((client) =>
        client.series.findMany({ where: { id: { gt: after } }, orderBy: { id: 'asc' }, take: BATCH }),
      )
      const last = rows.at(-1)
      if (!last) return
      for (const row of rows) {
        const series = seriesOf(row, row.ownerId ?? '')
        if (row.ownerId === null) {
          await deleteInPieces(this.ctx.db, 'SeriesNumber WHERE seriesId = ? ORDER BY day, position', row.id)
          // Redis may be away: then its keys are found the next time.
          await this.ctx.series.of(series).forget()
          await this.ctx.db.change('DELETE FROM Series WHERE id = ?', row.id)
        } else if ('keepDays' in series.definition) {
          const first = Number(calendarDaysBefore(now, series.definition.keepDays))
          const old = `SeriesNumber WHERE seriesId = ? AND day < ${first} ORDER BY day, position`
          await deleteInPieces(this.ctx.db, old, row.id)
        }
      }
      after = last.id
    }
  }

  close(): void {
    void this.loop.stop()
  }
}
