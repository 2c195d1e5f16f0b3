import { expect, it } from 'vitest'
import { EVENT_KINDS, TEST_EVENT } from '@/lib/events/kinds'
import { openApiDocument } from './endpoints'

it('names the cookie that browsers have, with https and without', () => {
  const nameAt = (BASE_URL: string) => openApiDocument({ BASE_URL }).components?.securitySchemes?.session
  expect(nameAt('http://go.example.com')).toMatchObject({ name: 'terse.session_token' })
  expect(nameAt('https://go.example.com')).toMatchObject({ name: '__Secure-terse.session_token' })
})

it('describes what each webhook is sent, with the schemas of answers', () => {
  const { webhooks = {}, paths, components } = openApiDocument({ BASE_URL: 'http://go.example.com' })
  expect(Object.keys(webhooks).sort()).toEqual([...EVENT_KINDS, TEST_EVENT].sort())
  expect(Object.keys(paths ?? {}).filter((path) => !path.startsWith('/'))).toEqual([])
  expect(webhooks['link.created']).toMatchObject({
    post: {
      requestBody: { content: { 'application/json': { schema: { properties: { type: { const: 'link.created' } } } } } },
      parameters: expect.arrayContaining([expect.objectContaining({ in: 'header', name: 'webhook-id', required: true })]),
    },
  })
  // They are answers' schemas, and none has a second form because of them.
  expect(Object.keys(components?.schemas ?? {})).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(?:Link|FieldChange|LinkHealth|Click)(?:Input|Output)$/)]),
  )
})
