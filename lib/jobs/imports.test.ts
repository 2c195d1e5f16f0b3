import { expect, it } from 'vitest'
import { importsAmong } from './imports'
import type { JobKindName, JobState, JobView } from './schemas'

let last = 0
const job = (state: JobState, { kind = 'import', dryRun = false }: { kind?: JobKindName; dryRun?: boolean } = {}): JobView => ({
  ...{ number: `20261125${String(++last).padStart(5, '0')}`, kind, title: '', state, dryRun },
  ...{ done: 1, failed: 0, total: 1, error: '', hasFile: false, counts: {}, undoneBy: null, waitsUntil: null },
  ...{ createdAt: '2026-11-25T12:00:00Z', startedAt: null },
  finishedAt: ['done', 'failed', 'cancelled'].includes(state) ? '2026-11-25T12:01:00Z' : null,
})

it('all imports that are not over are shown, then the latest that are, however many wait, and no other jobs', () => {
  const checked = Array.from({ length: 4 }, () => job('checked', { dryRun: true }))
  const [done, undo, verified, older] = [job('done'), job('done', { kind: 'undo' }), job('done', { kind: 'verify' }), job('done')]
  const others = [job('running', { kind: 'links' }), job('done', { kind: 'export' }), job('cancelled', { dryRun: true })]
  const paused = job('paused')
  expect(importsAmong([...others, done, ...checked, undo, verified, older, paused])).toEqual([
    ...checked,
    paused,
    done,
    undo,
    verified,
  ])
})
