import { describe, expect, it } from 'vitest'
import { ENDPOINTS } from './endpoints'

describe('an endpoint of admins', () => {
  it('leaves an entry in the audit log whenever it changes something', () => {
    const admins = ENDPOINTS.filter(({ spec }) => spec.auth === 'admin' || spec.path.startsWith('/api/v1/admin/'))
    const audited = admins.filter(({ spec }) => spec.isAudited)
    expect(audited.length).toBeGreaterThan(15)
    expect(new Set(audited.map(({ spec }) => spec.auth))).toEqual(new Set(['admin']))
    expect(admins.filter(({ spec }) => spec.method !== 'GET' && !spec.isAudited).map(({ spec }) => spec.path)).toEqual([])
  })
})
