import { afterEach, expect, it, vi } from 'vitest'
import { Domains } from './domains'

afterEach(() => void vi.useRealTimers())

it('the list of domains is read no more once it is closed, not even when that happens during a reading', async () => {
  vi.useFakeTimers()
  let answer = () => {}
  const row = { id: 1, host: 'terse.test', isDefault: 0, rootUrl: null, notFoundUrl: null }
  const rows = vi.fn(() => new Promise<unknown[]>((resolve) => (answer = () => resolve([row]))))
  const db = { rows } as unknown as ConstructorParameters<typeof Domains>[0]
  const domains = new Domains(db, 'https://terse.test')
  const started = domains.start()
  domains.close()
  answer()
  await started
  expect(vi.getTimerCount()).toBe(0)
})
