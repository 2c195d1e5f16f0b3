import { expect, it } from 'vitest'
import type { RunningJob } from '@/lib/jobs/running-job'
import { parseRanges } from '@/lib/net/address'
import { Outbound } from '@/lib/net/outbound'
import { OldService } from '@/lib/testing/old-service'
import { verifyKind } from './verify-job'

type Kind = ReturnType<typeof verifyKind>

it('an old service that only ever says when to come back is asked sixty times in a row, and its comparison fails then', async () => {
  const old = await OldService.open()
  const ctx = {
    outbound: new Outbound(parseRanges(['127.0.0.1'])),
    db: { rows: async () => [{ id: 1n, fullShortUrl: 'terse.test/a' }] },
  } as unknown as Parameters<Kind['run']>[0]
  const job = { row: { id: 7n }, userId: 'alice', resumeAt: '', input: { address: old.address }, makeWay: async () => {} }
  const { run } = verifyKind()
  old.answer = () => ({ status: 429, headers: { 'Retry-After': '-1' } })
  const asked = () => run(ctx, job as unknown as RunningJob<Awaited<Kind['input']['_output']>>)
  for (let times = 1; times < 60; times++) {
    await expect(asked()).rejects.toMatchObject({ code: 'rate_limited', retryAfter: 1 })
  }
  await expect(asked()).rejects.toMatchObject({ code: 'validation_failed' })
  expect(old.asked).toHaveLength(60)
})
