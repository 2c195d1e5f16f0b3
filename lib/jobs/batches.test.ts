import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { say } from '@/lib/i18n/message'
import { testJobs } from '@/lib/testing/jobs'
import { eachBatch } from './batches'
import type { RowOutcome } from './row-outcome'
import { JobEnded, RunningJob } from './running-job'
import { createJob, listJobItems } from './store'

const { ctx, connection, by, take } = await testJobs()

const SIZE = 10
const outcomesOf = (rows: readonly string[]): RowOutcome[] => rows.map((target) => ({ target, outcome: 'done' }))

async function jobOf(rows: number): Promise<RunningJob<object>> {
  const list = Array.from({ length: rows }, (_, row) => `row ${row}`)
  await createJob(ctx, by, { kind: 'import', title: say('api.job.export'), input: {}, total: rows, rows: list })
  return new RunningJob(ctx.db, await take(), {})
}

const told = async (job: RunningJob<object>) =>
  (await listJobItems(ctx, job.row, { limit: 1_000 })).items.map(({ position, target }) => ({ position, target }))
const rowsUpTo = (end: number) => Array.from({ length: end }, (_, position) => ({ position, target: `row ${position}` }))

describe('batches that are finished at the same time', () => {
  it('are told in their order, whichever is finished first', async () => {
    const job = await jobOf(4 * SIZE)
    const ended: number[] = []
    const waiting = new Map<number, () => void>()
    await eachBatch(job, {
      row: z.string(),
      size: SIZE,
      prepare: async (rows) => rows,
      // Each even batch waits for the one behind it.
      finish: async (rows, _, position) => {
        const isSecond = (position / SIZE) % 2 === 1
        if (isSecond) waiting.get(position - SIZE)?.()
        else await new Promise<void>((resolve) => waiting.set(position, resolve))
        ended.push(position)
        return outcomesOf(rows)
      },
    })
    await job.save()
    expect(ended).toEqual([SIZE, 0, 3 * SIZE, 2 * SIZE])
    expect(await told(job)).toEqual(rowsUpTo(4 * SIZE))
  })

  it('are begun at the same rows again where one before them failed, also when fewer of its rows can be done by then', async () => {
    const job = await jobOf(4 * SIZE)
    const written = new Map<number, string[]>()
    let isDown = true
    let most = SIZE
    const run = () =>
      eachBatch(job, {
        row: z.string(),
        size: SIZE,
        prepare: async (rows, position) => written.get(position) ?? rows.slice(0, most),
        finish: async (rows, _, position) => {
          if (isDown && position === SIZE) throw new Error('down')
          written.set(position, rows)
          return outcomesOf(rows)
        },
      })
    await expect(run()).rejects.toThrow('down')
    expect(job.done).toBe(SIZE)
    expect([...written.keys()]).toEqual([0, 2 * SIZE])
    isDown = false
    most = 3
    await run()
    await job.save()
    expect(await told(job)).toEqual(rowsUpTo(4 * SIZE))
    expect([...written.values()].flat()).toHaveLength(4 * SIZE)
  })

  it('are all told when the job was cancelled while the first of them was held up', async () => {
    const job = await jobOf(4 * SIZE)
    let end = () => {}
    const run = eachBatch(job, {
      row: z.string(),
      size: SIZE,
      prepare: async (rows) => rows,
      finish: async (rows, _, position) => {
        if (position > 0) {
          end()
          return outcomesOf(rows)
        }
        await new Promise<void>((resolve) => {
          end = resolve
        })
        await connection.query("UPDATE Job SET state = 'cancelled' WHERE id = ?", [job.row.id])
        throw new JobEnded()
      },
    })
    await expect(run).rejects.toThrow(JobEnded)
    await job.save()
    expect((await told(job)).map(({ target }) => target)).toEqual(
      rowsUpTo(2 * SIZE)
        .slice(SIZE)
        .map(({ target }) => target),
    )
  })

  it('that are finished when the next cannot be prepared are told', async () => {
    const job = await jobOf(4 * SIZE)
    const run = eachBatch(job, {
      row: z.string(),
      size: SIZE,
      prepare: async (rows, position) => {
        if (position === 2 * SIZE) throw new Error('refused')
        return rows
      },
      finish: async (rows) => outcomesOf(rows),
    })
    await expect(run).rejects.toThrow('refused')
    await job.save()
    expect(await told(job)).toEqual(rowsUpTo(2 * SIZE))
  })
})
