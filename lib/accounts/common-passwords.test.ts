import { expect, it } from 'vitest'
import { passwordTrouble } from './common-passwords'
import { ADDRESS_PASSWORD, COMMON_PASSWORD, NAME_PASSWORD, SITE_PASSWORD } from './names'

const beside = { email: 'g.hopper@example.com', name: 'Grace Hopper', handle: '12345678', baseUrl: 'https://go.example.org' }

it.each([
  ['gracehopper2024', NAME_PASSWORD],
  ['12345678', NAME_PASSWORD],
  ['G.Hopper@example.com', ADDRESS_PASSWORD],
  ['g.hopper!99', ADDRESS_PASSWORD],
  ['Terse-2026!', SITE_PASSWORD],
  ['go.example.org', SITE_PASSWORD],
  ['password123', COMMON_PASSWORD],
  ['aaaaaaaaaa', COMMON_PASSWORD],
  ['qwertzuiop', COMMON_PASSWORD],
  ['Schatz123', COMMON_PASSWORD],
  ['correct horse battery', null],
  ['schatztruhe am see', null],
])('the password %s is refused for the reason that is true of it', async (password, reason) => {
  expect(await passwordTrouble(password, beside)).toBe(reason)
})
