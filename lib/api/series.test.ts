import { beforeAll, describe, expect, it } from 'vitest'
import { Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { testRedis } from '@/lib/testing/redis'
import { settled, testRuntime } from '@/lib/testing/runtime'
import { getAllSeries, getPreview, postNext, postSeries, removeSeries } from './series'

const { url } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
beforeAll(() => settled(ctx))

const PATH = '/api/v1/series'
const params = { name: 'tickets' }
const body = { name: 'tickets', kind: 'cycle', max: 12, format: { prefix: 'T-', digits: 2 } }

async function member() {
  const visitor = new Visitor(ctx)
  await visitor.signUp()
  return visitor
}

describe('series by the API', () => {
  it('are created, listed, previewed, drawn from and deleted, by their account alone', async () => {
    const [alice, bob] = [await member(), await member()]
    expect(await alice.ask(postSeries, 'POST', PATH, body)).toMatchObject({ status: 201, body: { ...body, step: 1, rest: null } })
    expect(await alice.ask(postSeries, 'POST', PATH, body)).toMatchObject({ status: 409, body: { errors: [{ path: 'name' }] } })
    expect((await alice.ask(getAllSeries, 'GET', PATH)).body.series).toHaveLength(1)
    expect((await bob.ask(getAllSeries, 'GET', PATH)).body.series).toEqual([])
    expect(await bob.ask(postNext, 'POST', `${PATH}/tickets/next`, {}, {}, params)).toMatchObject({ status: 404 })
    const preview = await alice.ask(getPreview, 'GET', `${PATH}/tickets/preview`, undefined, { 'accept-language': 'de' }, params)
    expect(preview).toMatchObject({ status: 200, body: { left: 12, warning: null } })
    expect(preview.body.numbers[0]).toBe('T-01')
    const drawn = await alice.ask(postNext, 'POST', `${PATH}/tickets/next`, { count: 2 }, { 'accept-language': 'de' }, params)
    expect(drawn.body).toEqual({
      numbers: ['T-01', 'T-02'],
      restarted: false,
      left: 10,
      untilRestart: null,
      warning: 'Nur noch 10 Nummern sind übrig.',
    })
    expect(await alice.ask(removeSeries, 'DELETE', `${PATH}/tickets`, undefined, {}, params)).toMatchObject({ status: 204 })
    expect(await alice.ask(postNext, 'POST', `${PATH}/tickets/next`, {}, {}, params)).toMatchObject({ status: 404 })
  })

  it('give the same numbers to a request that comes again with its key, and refuse the key to another', async () => {
    const alice = await member()
    await alice.ask(postSeries, 'POST', PATH, body)
    const draw = (count: number) =>
      alice.ask(postNext, 'POST', `${PATH}/tickets/next`, { count }, { 'idempotency-key': 'order 4711' }, params)
    const [first, again, other] = [await draw(3), await draw(3), await draw(4)]
    expect(first).toMatchObject({ status: 200, body: { numbers: ['T-01', 'T-02', 'T-03'] } })
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(other.status).toBe(422)
  })

  it('refuse what is wrong at its field, in the language of the caller', async () => {
    const alice = await member()
    const wrong = { ...body, step: 5 }
    const answer = await alice.ask(postSeries, 'POST', PATH, wrong, { 'accept-language': 'fr' })
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ path: 'step' }] } })
    expect(answer.body.errors[0].message).toContain('n’atteint jamais 12')
    expect(await alice.ask(postNext, 'POST', `${PATH}/tickets/next`, { count: 10_001 }, {}, params)).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'count' }] },
    })
    expect((await alice.ask(getAllSeries, 'GET', PATH)).body.series).toEqual([])
  })
})
