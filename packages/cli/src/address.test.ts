import { expect, it } from 'vitest'
import { addressOf } from './address.js'

it.each([
  ['sale', { code: 'sale' }],
  ['/sale', { code: 'sale' }],
  ['docs/login', { code: 'docs/login' }],
  ['v1.2', { code: 'v1.2' }],
  ['go.example.com/sale', { code: 'sale', domain: 'go.example.com' }],
  ['localhost:3000/a/b', { code: 'a/b', domain: 'localhost:3000' }],
  ['https://go.example.com/sale?utm_source=x#top', { code: 'sale', domain: 'go.example.com' }],
  ['HTTPS://localhost/sale', { code: 'sale', domain: 'localhost' }],
  ['https://go.example.com/%E2%98%95', { code: '☕', domain: 'go.example.com' }],
  ['100%', { code: '100%' }],
])('%s', (typed, address) => {
  expect(addressOf(typed)).toEqual(address)
})
