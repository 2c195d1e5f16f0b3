import { type RunningJob, TurnOver } from '@/lib/jobs/running-job'
import { MINUTE } from '@/lib/tools/time'
import { UnderWay } from '@/lib/tools/under-way'
import { notAnswering } from './errors'

/** How long a job waits before it looks whether others wait for it, in ms, and then until its next turn, in s. */
const LOOK = 100
const PAUSE = 2

/** Answers of other servers that jobs of this process wait for. A slow one holds up no other job, and many hold up no account. */
export class Answers<T> {
  private readonly asked = new UnderWay<T>({ most: 20, mostEach: 2, kept: MINUTE, gone: 5 * PAUSE * 1_000 })

  /**
   * What is asked under this name. While it takes long, other jobs have their turns, and this one comes back for it.
   * @throws TerseError 'rate_limited' where they do; as `RunningJob.turn`; what asking throws
   */
  async of(job: RunningJob<unknown>, name: string, host: string, ask: () => Promise<T>): Promise<T> {
    for (;;) {
      const answer = await this.asked.within(LOOK, { who: job.userId, name: `${job.row.id} ${name}` }, ask)
      if (answer) return answer.result
      try {
        await job.makeWay()
      } catch (error) {
        if (!(error instanceof TurnOver)) throw error
        throw notAnswering(host, PAUSE)
      }
    }
  }
}
