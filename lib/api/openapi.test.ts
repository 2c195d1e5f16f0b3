import { expect, it } from 'vitest'
import { openApiDocument } from './endpoints'

it('names the cookie that browsers have, with https and without', () => {
  const nameAt = (BASE_URL: string) => openApiDocument({ BASE_URL }).components?.securitySchemes?.session
  expect(nameAt('http://go.example.com')).toMatchObject({ name: 'terse.session_token' })
  expect(nameAt('https://go.example.com')).toMatchObject({ name: '__Secure-terse.session_token' })
})
