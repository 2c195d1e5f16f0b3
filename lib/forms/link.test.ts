import { describe, expect, it } from 'vitest'
import { CreateLink, type LinkView, UpdateLink } from '@/lib/links/schemas'
import { NEW_LINK, readLinkChanges, readNewLink } from './link'
import { textsOf } from './link-texts'
import { timeInUtc } from './read'

const write = ({ key }: { key: string }) => key
const form = (fields: Record<string, string>) => {
  const data = new FormData()
  for (const [name, text] of Object.entries(fields)) data.append(name, text)
  return data
}
const whole = {
  url: 'example.com/a',
  code: ' spring ',
  domain: 'go.example.com',
  title: ' Spring ',
  tags: ' news,, Sale ',
  folder: ' Clients ',
  comment: ' for Mia\n',
  startsAt: '2031-01-01T00:00',
  expiresAt: '2031-02-01T00:00',
  maxClicks: '5',
  password: 'sesame',
  expiredUrl: 'example.com/over',
  redirectStatus: '307',
  enabled: 'off',
  listed: 'on',
}

describe('the form of a link', () => {
  it('has a field for all that a link can be created with and all that can be edited', () => {
    const asked = new Set([...Object.keys(CreateLink.shape), ...Object.keys(UpdateLink.shape)])
    // What the form is not for: to get an existing link instead, and what the list of links does.
    for (const field of ['reuse', 'archived', 'favorite']) asked.delete(field)
    expect(Object.keys(NEW_LINK).sort()).toEqual([...asked].sort())
  })

  it('says all of it to the API', () => {
    expect(readNewLink(form(whole), timeInUtc, write)).toEqual({
      ok: true,
      value: {
        url: 'https://example.com/a',
        code: 'spring',
        domain: 'go.example.com',
        title: 'Spring',
        tags: ['news', 'Sale'],
        folder: 'Clients',
        comment: 'for Mia',
        startsAt: '2031-01-01T00:00:00Z',
        expiresAt: '2031-02-01T00:00:00Z',
        maxClicks: 5,
        password: 'sesame',
        expiredUrl: 'https://example.com/over',
        redirectStatus: 307,
        enabled: false,
        listed: true,
      },
    })
  })

  it('says nothing of what was left as it is, or is not in it', () => {
    const plain = { ok: true, value: { url: 'https://example.com/' } }
    expect(readNewLink(form({ ...NEW_LINK, url: 'https://example.com/' }), timeInUtc, write)).toEqual(plain)
    expect(readNewLink(form({ url: 'https://example.com/' }), timeInUtc, write)).toEqual(plain)
  })

  it('changes only what was changed, and takes away what was emptied', () => {
    const view = {
      url: 'https://example.com/a',
      title: 'Spring',
      startsAt: null,
      expiresAt: '2031-02-01T00:00:42.123Z',
      maxClicks: 5,
      expiredUrl: 'https://example.com/over',
      redirectStatus: 302,
      state: 'active',
      listed: true,
    } as LinkView
    const before = textsOf(view, (iso) => iso?.slice(0, 16) ?? '')
    const changes = (fields: Record<string, string>) => readLinkChanges(form(fields), before, timeInUtc)
    expect(changes(before)).toEqual({})
    const emptied = { title: '', maxClicks: '', expiredUrl: '', expiresAt: '' }
    expect(changes({ ...before, ...emptied, password: 'new' })).toEqual({
      title: '',
      maxClicks: null,
      expiredUrl: null,
      expiresAt: null,
      password: 'new',
    })
    expect(changes({ title: 'Other', passwordStep: 'remove' })).toEqual({ title: 'Other', password: null })
    expect(JSON.stringify(changes({ maxClicks: 'a few' }))).toBe('{"maxClicks":"a few"}')
  })
})
