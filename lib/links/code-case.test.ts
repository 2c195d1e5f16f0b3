import { describe, expect, it } from 'vitest'
import { foldedLength } from '@/lib/codes/generate'
import { isTerseError } from '@/lib/errors'
import { createReport } from '@/lib/reports/create'
import { openCases, refusal } from '@/lib/testing/code-case'
import { eventually } from '@/lib/testing/eventually'
import { settled } from '@/lib/testing/runtime'
import { createLink } from './create'
import { insertMany, prepareMany } from './create-many'
import { deleteLink } from './delete'
import { findManaged } from './find'
import { restoreLink } from './restore'
import { CreateLink } from './schemas'

const { connection, redis, ctx, other, alice, domainWith, create, change, ask, status } = await openCases()

describe('a domain on which case makes no difference', () => {
  it('finds a link however its code is written, in both processes, and also its preview, its picture and what stands behind it', async () => {
    const { id, host } = await domainWith()
    await change(id)
    await connection.query('UPDATE Domain SET qrCodes = true WHERE id = ?', [id])
    await Promise.all([ctx.domains.refresh(), other.domains.refresh()])
    const { link } = await create(host, 'Spring')
    expect(link).toMatchObject({ code: 'spring', fullShortUrl: `${host}/spring` })
    for (const on of [ctx, other]) {
      for (const path of ['/Spring', '/sPRING', '/spring', '/SPRING/']) expect(await status(host, path, on), path).toBe(302)
      expect((await ask(host, '/SPRING+', on)).body).toContain('example.com')
      expect(await status(host, '/Spring.qr', on)).toBe(200)
    }
    const routing = { path: 'append' as const }
    await createLink(ctx, alice, CreateLink.parse({ url: 'https://example.com/all', domain: host, code: 'Wiki/All', routing }))
    const { headers } = await ask(host, '/WIKI/aLL/Some/Page', other)
    expect(headers[headers.indexOf('Location') + 1]).toBe('https://example.com/all/Some/Page')
  })

  it('keeps letters of other alphabets, and emoji where codes can have them, in one form too', async () => {
    const { id, host } = await domainWith()
    await change(id)
    const { link } = await create(host, 'ÄPFEL-ΟΔΟΣ'.split('-')[0])
    expect(link.code).toBe('äpfel')
    expect(await status(host, `/${encodeURIComponent('Äpfel')}`)).toBe(302)
    // The same letter and its mark, one after the other.
    expect(await status(host, `/${encodeURIComponent('A\u0308pfel')}`)).toBe(302)
  })

  it('generates codes without capitals, as many as before, and lets a URL have the same one again', async () => {
    const { id, host } = await domainWith()
    await change(id)
    const { link } = await create(host)
    expect(link.code).toMatch(/^[0-9a-z]+$/)
    expect(link.code).toHaveLength(foldedLength(ctx.config.CODE_LENGTH))
    expect(36 ** foldedLength(7)).toBeGreaterThan(62 ** 7)
    expect(foldedLength(10)).toBe(10)
    expect(await status(host, `/${link.code.toUpperCase()}`)).toBe(302)
  })

  it('gives a code once, with two processes racing for AB and ab, one by one and many at a time', async () => {
    const { id, host } = await domainWith()
    await change(id)
    for (const round of Array.from({ length: 10 }, (_, i) => `r${i}`)) {
      const results = await Promise.allSettled(
        [`${round}AB`, `${round}ab`, `${round}Ab`, `${round}aB`].map((code, i) => create(host, code, i % 2 ? ctx : other)),
      )
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []))
      expect(refused).toEqual(['conflict', 'conflict', 'conflict'])
    }
    const inputs = ['ROW', 'row', 'Row', 'other'].map((code) =>
      CreateLink.parse({ url: 'https://example.com/', domain: host, code }),
    )
    const rows = await insertMany(ctx, await prepareMany(ctx, alice, inputs))
    expect(rows.map((row) => (isTerseError(row) ? row.code : 'made'))).toEqual(['made', 'conflict', 'conflict', 'made'])
  })

  it('keeps a deleted code at rest, and restores it, by any spelling', async () => {
    const { id, host } = await domainWith()
    await change(id)
    await create(host, 'Gone')
    await deleteLink(ctx, alice, { code: 'GONE', domain: host })
    expect(await status(host, '/Gone', other)).toBe(410)
    expect((await refusal(create(host, 'gOne'))).code).toBe('conflict')
    expect((await restoreLink(ctx, alice, { code: 'goNE', domain: host })).code).toBe('gone')
    await eventually(async () => expect(await status(host, '/GONE', other)).toBe(302))
    expect((await findManaged(ctx, alice, { code: 'GONE', domain: host }, 'read')).code).toBe('gone')
    expect(await createReport(ctx, { shortUrl: `${host}/GONE`, reason: 'spam', details: '', email: '' }, 'a')).toMatch(/^\d+$/)
  })

  it('finds its links when Redis has forgotten all', async () => {
    const { id, host } = await domainWith('Kept')
    await change(id)
    await redis.stop()
    await redis.start()
    await eventually(async () => expect(await status(host, '/KEPT', other)).toBe(302))
    const client = ctx.redis.client
    await eventually(() => client.flushall())
    expect(await status(host, '/kEPT')).toBe(302)
    await settled(ctx, other)
    expect(await status(host, '/kePT', other)).toBe(302)
    expect((await ctx.registry.lookup(`${host}/kept`)).mayExist).toBe(true)
    expect((await ctx.registry.lookup(`${host}/Kept`)).mayExist).toBe(false)
  })
})

describe('turning it off', () => {
  it('leaves the links in small letters, and tells codes apart again', async () => {
    const { id, host } = await domainWith('Was')
    await change(id)
    await change(id, 'sensitive')
    for (const on of [ctx, other]) {
      expect(await status(host, '/was', on)).toBe(302)
      expect(await status(host, '/Was', on)).toBe(404)
    }
    expect((await create(host, 'Was')).link.code).toBe('Was')
    await eventually(async () => expect(await status(host, '/Was', other)).toBe(302))
  })
})
