import { afterEach, beforeAll } from 'vitest'
import { addDomain, verifyDomain } from '@/lib/domains/edit'
import { proofOf } from '@/lib/domains/proof'
import { isTerseError, type TerseError } from '@/lib/errors'
import { takeJob } from '@/lib/jobs/queue'
import { RunningJob } from '@/lib/jobs/running-job'
import { codeCaseKind, queueCodeCase } from '@/lib/links/code-case'
import { createLink } from '@/lib/links/create'
import { CreateLink } from '@/lib/links/schemas'
import { keepAccount } from './accounts'
import { testDatabase } from './database'
import { testRedis } from './redis'
import { owner, settled, testRuntime } from './runtime'
import { visit } from './visit'

/** Two processes over domains whose codes are folded, and what tests ask of them. For the top of a test file. */
export async function openCases() {
  const { url, connection } = await testDatabase()
  const redis = await testRedis()
  const settings = { DATABASE_URL: url, REDIS_URL: redis.url }
  /** Two processes, of which the second learns of domains as any other does. */
  const [ctx, other] = [await testRuntime(settings), await testRuntime(settings)]
  ctx.jobs.close()
  other.jobs.close()
  const alice = owner('alice', 'admin')
  const by = { account: { id: 'alice' }, address: null }

  beforeAll(async () => {
    await settled(ctx, other)
    await keepAccount(ctx.db, 'alice', 'admin')
  })
  afterEach(() => connection.query("UPDATE Job SET state = 'cancelled'"))

  let made = 0
  /** A domain of its own for each test, with these codes as they were typed. */
  async function domainWith(...codes: string[]): Promise<{ id: number; host: string }> {
    const host = `case${made++}.example`
    const { id } = await addDomain(ctx, { host })
    await verifyDomain(ctx, id, { txt: async () => [proofOf(ctx.config.APP_SECRET, host)], file: async () => '' })
    await other.domains.refresh()
    for (const code of codes) await create(host, code)
    return { id, host }
  }

  const create = (domain: string, code?: string, on = ctx) =>
    createLink(on, alice, CreateLink.parse({ url: `https://example.com/${code ?? ''}`, domain, ...(code && { code }) }))

  /** Has all of a domain's codes folded, or stops that, while both processes hear of domains far more often than every 5 s. */
  async function change(id: number, codeCase: 'ignored' | 'sensitive' = 'ignored'): Promise<void> {
    await queueCodeCase(ctx, by, id, { codeCase })
    await runJob()
  }

  async function runJob(knownAfter = 300): Promise<void> {
    const row = await takeJob(ctx.db, ['case'])
    if (!row) throw new Error('there is no job')
    const kind = codeCaseKind(knownAfter)
    const hearing = setInterval(() => void other.domains.refresh(), 20)
    const job = new RunningJob(ctx.db, row, kind.input.parse(JSON.parse(row.input)))
    try {
      await kind.run(ctx, job)
      await job.finish('done', null, false)
    } catch (error) {
      await job.finish('failed', isTerseError(error) ? error.said : null, false)
      throw error
    } finally {
      clearInterval(hearing)
      await other.domains.refresh()
    }
  }

  const ask = (host: string, path: string, on = ctx) => visit(on.answering, host, path)
  const status = async (host: string, path: string, on = ctx) => (await ask(host, path, on)).status
  return { connection, redis, ctx, other, alice, by, domainWith, create, change, runJob, ask, status }
}

/** The error by which something is refused. */
export const refusal = (work: Promise<unknown>): Promise<TerseError> =>
  work.then(
    () => {
      throw new Error('it was not refused')
    },
    (error: TerseError) => error,
  )
