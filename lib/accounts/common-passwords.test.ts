import { expect, it } from 'vitest'
import { passwordTrouble } from './common-passwords'

const beside = { email: 'g.hopper@example.com', name: 'Grace Hopper', handle: '12345678', baseUrl: 'https://go.example.org' }

it.each([
  ['gracehopper2024', 'name'],
  ['12345678', 'name'],
  ['G.Hopper@example.com', 'email'],
  ['g.hopper!99', 'email'],
  ['Terse-2026!', 'site'],
  ['go.example.org', 'site'],
  ['password123', 'common'],
  ['aaaaaaaaaa', 'common'],
  ['qwertzuiop', 'common'],
  ['Schatz123', 'common'],
  ['correct horse battery', null],
  ['schatztruhe am see', null],
])('the password %s is refused for the reason that is true of it', async (password, reason) => {
  expect((await passwordTrouble(password, beside))?.key ?? null).toBe(reason && `forms.password.${reason}`)
})
