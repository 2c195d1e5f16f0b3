import { Redis } from 'ioredis'
import { describe, expect, it, vi } from 'vitest'
import { anonymous } from '@/lib/actor'
import { createLink } from '@/lib/links/create'
import { updateLink } from '@/lib/links/update'
import type { Runtime } from '@/lib/runtime'
import { atEnd } from '@/lib/testing/cleanup'
import { testCluster } from '@/lib/testing/cluster'
import { testDatabase } from '@/lib/testing/database'
import { within } from '@/lib/testing/eventually'
import { testRedis } from '@/lib/testing/redis'
import { settled, testRuntime } from '@/lib/testing/runtime'

/** One server, or a cluster: REDIS_URL and a connection to each node. */
async function oneServer(): Promise<{ url: string; clients: readonly Redis[] }> {
  const { url } = await testRedis()
  const client = new Redis(url)
  atEnd(() => client.disconnect())
  return { url, clients: [client] }
}

const DESTINATION = 'https://example.com/'

describe.each([
  ['one server', oneServer],
  ['a cluster of three masters', testCluster],
])('on %s', async (_name, start) => {
  const { url: REDIS_URL, clients } = await start()
  const { url: DATABASE_URL } = await testDatabase()
  const [writer, reader] = await Promise.all([testRuntime({ DATABASE_URL, REDIS_URL }), testRuntime({ DATABASE_URL, REDIS_URL })])

  /** Links that `by` holds in memory, and for which it needs to ask nobody. */
  async function heldLinks(by: Runtime, count: number) {
    const made = []
    for (let i = 0; i < count; i++) made.push(await createLink(writer, anonymous(), { url: `${DESTINATION}${i}` }))
    for (const { link } of made) {
      await vi.waitFor(
        async () => {
          await by.lookup.find(link.fullShortUrl)
          // Past the time in which an entry needs nobody to vouch for it.
          const filledAt = by.lookup.peek(link.fullShortUrl)?.filledAt ?? performance.now()
          expect(performance.now() - filledAt).toBeGreaterThan(900)
        },
        { timeout: 10_000 },
      )
    }
    return made
  }

  /** Ends every subscription, again and again, until told to stop. */
  function killSubscriptions(): () => Promise<void> {
    let stopped = false
    const loop = (async () => {
      while (!stopped) {
        await Promise.all(clients.map((client) => client.call('CLIENT', 'KILL', 'TYPE', 'pubsub')))
      }
    })()
    return () => {
      stopped = true
      return loop
    }
  }

  const subscriptions = async () => {
    const lists = await Promise.all(clients.map((client) => client.call('CLIENT', 'LIST', 'TYPE', 'pubsub')))
    return lists.join('').split('\n').filter(Boolean).length
  }

  it('a change that was missed, since the subscription was cut, is seen within a second', async () => {
    await settled(writer, reader)
    await vi.waitFor(async () => expect(await subscriptions()).toBeGreaterThanOrEqual(2), { timeout: 10_000 })
    const made = await heldLinks(reader, 6)
    const stop = killSubscriptions()
    try {
      for (const [i, { link, manageToken }] of made.entries()) {
        await updateLink(writer, anonymous(manageToken), { code: link.code }, { url: `${DESTINATION}edited/${i}` })
        await within(1_000, async () =>
          expect((await reader.lookup.find(link.fullShortUrl)).entry.record).toMatchObject({
            url: `${DESTINATION}edited/${i}`,
          }),
        )
      }
    } finally {
      await stop()
    }
  })

  it('changes are heard again after the subscription was cut, and memory is believed as before', async () => {
    await Promise.all(clients.map((client) => client.call('CLIENT', 'KILL', 'TYPE', 'pubsub')))
    await vi.waitFor(async () => expect(await subscriptions()).toBeGreaterThanOrEqual(2), { timeout: 10_000 })
    const [made] = await heldLinks(reader, 1)
    if (!made) throw new Error('no link')
    await updateLink(writer, anonymous(made.manageToken), { code: made.link.code }, { url: `${DESTINATION}heard` })
    await within(1_000, async () =>
      expect((await reader.lookup.find(made.link.fullShortUrl)).entry.record).toMatchObject({ url: `${DESTINATION}heard` }),
    )
  })
})
