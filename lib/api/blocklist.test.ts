import { beforeAll, expect, it, vi } from 'vitest'
import { findJob } from '@/lib/jobs/store'
import { Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { testRedis } from '@/lib/testing/redis'
import { settled, testRuntime } from '@/lib/testing/runtime'
import { deleteRule, postAct, postImport, postRule } from './blocklist'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
await settled(ctx)

const admin = new Visitor(ctx)
beforeAll(() => admin.signUpAsAdmin())

/** Sends a list as it is: other bodies are JSON. */
const send = (text: string, type = 'text/plain; charset=utf-8') =>
  admin.ask(
    (request, context) =>
      postImport(
        new Request(request.url, {
          method: 'POST',
          headers: new Headers([...request.headers, ['content-type', type]]),
          body: text,
        }),
        context,
      ),
    'POST',
    '/api/v1/admin/blocklist/import',
  )
const written = async () =>
  (await connection.query<{ action: string; target: string }[]>('SELECT * FROM AuditEntry ORDER BY id')).map(
    ({ action, target }) => [action, target],
  )

it('a list is imported as plain text of up to 5 MB, and nothing else is', async () => {
  expect((await send('bad.example', 'application/json')).status).toBe(415)
  expect((await send('x.example\n'.repeat(600_000))).status).toBe(413)
  expect((await send('# no host')).status).toBe(422)
  expect(await written()).toEqual([])
  const { status, body } = await send('0.0.0.0 bad.example\nbad.example\n??\n')
  expect([status, body.kind, body.total]).toEqual([202, 'blocklist', 3])
  await vi.waitFor(async () => expect((await findJob(ctx, null, body.number)).state).toBe('done'), { timeout: 10_000 })
  expect((await connection.query('SELECT value FROM BlockRule')) as unknown).toEqual([{ value: 'bad.example' }])
  expect(await written()).toEqual([['blocklist.import', `job ${body.number}`]])
})

it('rules are added, acted on and removed, each written down', async () => {
  await connection.query('DELETE FROM AuditEntry')
  const path = '/api/v1/admin/blocklist'
  const made = await admin.ask(postRule, 'POST', path, { kind: 'suffix', value: '*.Worse.example.' })
  expect([made.status, made.body.value]).toEqual([201, 'worse.example'])
  const params = { id: made.body.id }
  expect((await admin.ask(postRule, 'POST', path, { kind: 'suffix', value: 'worse.example' })).status).toBe(409)
  expect((await admin.ask(postAct, 'POST', path, { action: 'ban' }, {}, params)).status).toBe(202)
  expect((await admin.ask(deleteRule, 'DELETE', path, undefined, {}, params)).status).toBe(204)
  expect((await admin.ask(deleteRule, 'DELETE', path, undefined, {}, params)).status).toBe(404)
  expect(await written()).toEqual(['add', 'act', 'remove'].map((action) => [`blocklist.${action}`, 'suffix worse.example']))
})
