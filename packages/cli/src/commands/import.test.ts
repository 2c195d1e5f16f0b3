import { expect, it } from 'vitest'
import type { Job } from '../client.js'
import { summaryOf } from './import.js'

const job = { number: '2026112400001', title: 'Check 300 links', counts: { created: 297, refused: 3 }, error: null }

it('says of a check what would be created, and of an import what was', () => {
  expect(summaryOf({ ...job, state: 'checked' } as unknown as Job)).toBe(
    'Check 300 links: checked. 297 to create, 3 refused (job 2026112400001)',
  )
  expect(summaryOf({ ...job, title: 'Import 300 links', state: 'done' } as unknown as Job)).toBe(
    'Import 300 links: done. 297 created, 3 refused (job 2026112400001)',
  )
})
