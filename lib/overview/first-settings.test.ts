import { expect, test } from 'vitest'
import { settingLine, suggestedSettings } from './first-settings'

const FRESH = { BASE_URL: 'http://localhost:3000', SMTP_URL: undefined, SIGN_UP: 'open', ANONYMOUS_LINKS: true } as const

test('what is not set is suggested, one line each, and what is set is left alone', () => {
  const suggested = suggestedSettings({ ...FRESH, given: new Set() }, 'localhost:3000')
  expect(Object.values(suggested).flat().map(settingLine)).toEqual([
    'BASE_URL=https://go.example.com',
    'SMTP_URL=smtps://user:password@mail.example.com',
    'MAIL_FROM="Links <links@example.com>"',
    'SIGN_UP=open',
    'ANONYMOUS_LINKS=on',
  ])
  const set = { BASE_URL: 'https://s.example', SMTP_URL: 'smtp://mail', SIGN_UP: 'closed', ANONYMOUS_LINKS: false } as const
  const given = new Set(['BASE_URL', 'SMTP_URL', 'SIGN_UP', 'ANONYMOUS_LINKS'])
  expect(suggestedSettings({ ...set, given }, 's.example')).toEqual({ domain: [], mail: [], signUp: [] })
  expect(suggestedSettings({ ...set, given }, 'other.example').domain.map(settingLine)).toEqual([
    'BASE_URL=https://other.example',
  ])
})
