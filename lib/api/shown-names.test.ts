import { beforeAll, describe, expect, it } from 'vitest'
import { Visitor } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { eventually } from '@/lib/testing/eventually'
import { freshCode } from '@/lib/testing/links'
import { testRedis } from '@/lib/testing/redis'
import { settled, testRuntime } from '@/lib/testing/runtime'
import { patchAccount, postKey } from './account'
import { postRule } from './blocklist'
import { getJob, getJobItems } from './jobs'
import { getLink, patchLink, postLink } from './links'
import { postImport } from './links-import'
import { postReport } from './reports'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
await settled(ctx)

/** What would be read as `safe gpj.exe`, over two lines. */
const SENT = 'safe\u202e \u200bexe.jpg\u2066\nnow'
const SHOWN = 'safe exe.jpg now'

const alice = new Visitor(ctx)
beforeAll(async () => {
  await alice.signUp(undefined, SENT)
  await connection.query("UPDATE User SET role = 'admin'")
})
const post = (handler: Parameters<Visitor['ask']>[0], body: object) => alice.ask(handler, 'POST', '/api/v1/x', body)

describe('what is shown in one line holds nothing that breaks it or turns it around:', () => {
  it('the name of an account', async () => {
    expect((await alice.auth('/get-session')).body.user.name).toBe(SHOWN)
    expect((await alice.ask(patchAccount, 'PATCH', '/api/v1/account', { name: `${SENT}!` })).body.name).toBe(`${SHOWN}!`)
    expect((await alice.ask(patchAccount, 'PATCH', '/api/v1/account', { name: '\u202e\u200b' })).status).toBe(422)
  })

  it('the name of a key', async () => {
    expect((await post(postKey, { name: SENT })).body).toMatchObject({ name: SHOWN })
  })

  it('the title of a link, created or edited', async () => {
    const { body } = await post(postLink, { url: 'https://example.com/', title: SENT })
    expect(body.title).toBe(SHOWN)
    const edited = await alice.ask(patchLink, 'PATCH', '/api/v1/x', { title: `${SENT}!` }, {}, { code: body.code })
    expect(edited.body.title).toBe(`${SHOWN}!`)
  })

  it('an import: its links, its own title, and what it says of rows', async () => {
    const code = freshCode()
    const csv = `url,code,title,"so\u202e\nwhat"\nhttps://example.com/,${code},"${SENT}",x\n"no\u202e\nurl",,,\n`
    const request = (req: Request, context: { params: Promise<Record<string, string>> }) => {
      const headers = new Headers([...req.headers, ['content-type', 'text/csv']])
      return postImport(new Request(req.url, { method: 'POST', headers, body: csv }), context)
    }
    const { body } = await alice.ask(request, 'POST', '/api/v1/links/import')
    expect(body.title).toBe('Import 2 links, without the columns “so what”')
    const about = (handler: typeof getJob) => alice.ask(handler, 'GET', '/api/v1/x', undefined, {}, { number: body.number })
    ctx.jobs.look()
    await eventually(async () => expect((await about(getJob)).body.state).toBe('done'))
    const { items } = (await about(getJobItems)).body
    expect(items.map(({ target }: { target: string }) => target)).toContain('no url')
    expect((await alice.ask(getLink, 'GET', '/api/v1/x', undefined, {}, { code })).body.title).toBe(SHOWN)
  })

  it('the reason of a rule, and the text of a report but for its lines', async () => {
    const rule = { kind: 'host', value: 'bad.example', reason: SENT }
    expect((await post(postRule, rule)).body.reason).toBe(SHOWN)
    const { body } = await post(postLink, { url: 'https://example.com/' })
    const report = { shortUrl: body.shortUrl, reason: 'spam', details: SENT }
    expect((await post(postReport, report)).status).toBe(201)
    const [row] = await connection.query<{ details: string }[]>('SELECT details FROM Report')
    expect(row?.details).toBe('safe exe.jpg\nnow')
  })
})
