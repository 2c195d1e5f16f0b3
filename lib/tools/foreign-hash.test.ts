import { hash } from '@node-rs/bcrypt'
import { expect, it } from 'vitest'
import { verifyForeign } from './foreign-hash'
import { BusyError } from './turns'

const [slow, usual, quick] = (await Promise.all([14, 10, 4].map((cost) => hash('right', cost)))) as [string, string, string]
const outcome = (work: Promise<boolean>) => work.catch((error: unknown) => (error instanceof BusyError ? 'busy' : String(error)))

it('one client fills no queue: what it asks for beyond its share is refused at once, and others come between', async () => {
  const order: string[] = []
  const ask = async (client: string, of: string, password: string) => {
    const came = await outcome(verifyForeign(of, password, client))
    order.push(`${client} ${came}`)
    return came
  }
  const one = Array.from({ length: 30 }, (_, i) => ask('one', i < 2 ? slow : usual, 'wrong'))
  const other = ask('other', quick, 'right')
  expect(await other).toBe(true)
  // Those of `one` that were done by then: the one under way, and the next at most.
  expect(order.filter((came) => came === 'one false').length).toBeLessThanOrEqual(2)
  const all = await Promise.all(one)
  expect([all.filter((came) => came === 'busy').length, all.filter((came) => came === false).length]).toEqual([25, 5])
})

it('many clients wait for so many others and no more, and all is served again afterwards', async () => {
  const first = outcome(verifyForeign(slow, 'right', 'first'))
  const all = Array.from({ length: 50 }, (_, i) => outcome(verifyForeign(quick, 'right', `client ${i}`)))
  const came = await Promise.all([first, ...all])
  expect(came.filter((one) => one === 'busy')).toHaveLength(30)
  expect(came.filter((one) => one === true)).toHaveLength(21)
  expect(await verifyForeign(quick, 'right', 'later')).toBe(true)
})
