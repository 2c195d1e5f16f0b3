import { afterEach, describe, expect, it, vi } from 'vitest'
import { Domains } from './domains'

afterEach(() => void vi.useRealTimers())

it('the list of domains is read no more once it is closed, not even when that happens during a reading', async () => {
  vi.useFakeTimers()
  let answer = () => {}
  const row = { id: 1, host: 'terse.test', isDefault: 0, rootUrl: null, notFoundUrl: null }
  const rows = vi.fn(() => new Promise<unknown[]>((resolve) => (answer = () => resolve([row]))))
  const db = { rows } as unknown as ConstructorParameters<typeof Domains>[0]
  const domains = new Domains(db, 'https://terse.test', 3000)
  const started = domains.start()
  domains.close()
  answer()
  await started
  expect(vi.getTimerCount()).toBe(0)
})

describe('a destination', () => {
  const db = {} as ConstructorParameters<typeof Domains>[0]
  const LOOPBACK = [
    'localhost',
    'LOCALHOST.',
    'a.localhost',
    '127.0.0.1',
    '127.9.8.7',
    '0x7f.1',
    '0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
  ]

  it.each(LOOPBACK)('leads back to us at http://%s, on our port alone', (host) => {
    const domains = new Domains(db, 'http://localhost:5400', 5400)
    expect(domains.isOwn(`http://${host}:5400/a`)).toBe(true)
    expect(domains.isOwn(`https://${host}:5400/a`)).toBe(true)
    expect(domains.isOwn(`http://${host}:5401/a`)).toBe(false)
    expect(domains.isOwn(`http://${host}/a`)).toBe(false)
  })

  it('leads back to us on the port that a proxy hides, and on the one of a local BASE_URL', () => {
    const behind = new Domains(db, 'https://terse.test', 3000)
    expect(behind.isOwn('http://127.0.0.1:3000/a')).toBe(true)
    expect(behind.isOwn('https://localhost/a')).toBe(false)
    const local = new Domains(db, 'http://localhost', 3000)
    expect(local.isOwn('http://127.0.0.1/a')).toBe(true)
    expect(local.isOwn('http://127.0.0.1:80/a')).toBe(true)
    expect(local.isOwn('http://127.0.0.1:8080/a')).toBe(false)
    expect(local.isOwn('http://192.0.2.1:3000/a')).toBe(false)
  })
})
