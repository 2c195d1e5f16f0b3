import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { LinkView } from '@/lib/links/schemas'
import type { Browser } from '@/tests/browser'
import { App, ownServers, type Servers } from '@/tests/harness'
import { createClient } from '../src/client.js'
import { apply as applySteps } from '../src/code/apply.js'
import { parseLinkFile } from '../src/code/file.js'
import { planOf } from '../src/code/plan.js'
import type { TerseError } from '../src/problem.js'
import { accountWithKey, Cli } from './installed.js'

let servers: Servers
let app: App
let cli: Cli
let browser: Browser
let base: string
let key: string
/** Each test has a tag and codes of its own. */
let tag: string
let turn = 0

beforeAll(async () => {
  servers = await ownServers()
  app = await App.start({ DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl })
  base = `http://localhost:${app.port}`
  ;({ browser, key } = await accountWithKey(app))
  cli = Cli.install({ TERSE_URL: base, TERSE_KEY: key })
})

afterAll(async () => {
  cli?.remove()
  await app?.stop()
  await servers?.stop()
})

beforeEach(() => {
  turn += 1
  tag = `site-${turn}`
})

const write = (text: string) => writeFileSync(join(cli.folder, 'links.yaml'), text)
const plan = async (...args: string[]) => (await cli.run(['plan', 'links.yaml', ...args])).stdout
const apply = (...args: string[]) => cli.run(['apply', 'links.yaml', ...args])
const edit = (code: string, fields: object) => browser.ask('PATCH', `/api/v1/links/${code}`, fields)
const get = async (code: string) => JSON.parse((await browser.ask('GET', `/api/v1/links/${code}`)).body) as LinkView

test('a hostile file reaches the terminal as text alone', async () => {
  write(`managedBy: x\n"a\\nb": 1\n"x\\e[2J\\e]0;pwned\\a": 1\nlinks:\n  - { code: "a\\e[2J", url: https://example.com/ }\n`)
  const { stderr } = await cli.run(['plan', 'links.yaml'])
  expect(stderr).toContain('There’s no property “a b” here.')
  expect(stderr).not.toMatch(/(?!\n)\p{Cc}/u)
  write(`managedBy: ${tag}\nlinks:\n  - { code: "a\\e[2J", url: https://example.com/ }\n`)
  expect(await plan()).toContain('/a [2J → https://example.com/')
})

test.each(['" "', '"\\u00a0"', '"\\u200b"', '"\\u3164"'])(
  'a file managed by nothing (%s) is refused: it would be all links',
  async (blank) => {
    write(`managedBy: ${blank}\nlinks: []\n`)
    expect(await cli.run(['plan', 'links.yaml'])).toMatchObject({
      code: 6,
      stdout: '',
      stderr: expect.stringContaining('managedBy'),
    })
  },
)

const three = () => `managedBy: ${tag}
defaults:
  redirectStatus: 301
  folder: Site
links:
  - code: ${tag}-docs
    url: https://example.com/docs
    title: Docs
    tags: [Help]
  - { code: ${tag}-sale, url: 'https://EXAMPLE.com/sale', expiresAt: 2999-12-24T18:00:00+01:00 }
  - code: ${tag}-team/mia
    url: https://example.com/mia
    redirectStatus: 302
    routing:
      rules:
        - when: [{ of: device, in: [mobile] }]
          url: https://m.example.com
`

describe('plan and apply', () => {
  test('create what is not there, and then find nothing to do, again and again', async () => {
    write(three())
    const planned = await cli.run(['plan', 'links.yaml', '--check'])
    expect(planned).toMatchObject({
      code: 8,
      stdout: expect.stringContaining(`+ localhost/${tag}-docs → https://example.com/docs\n`),
    })
    expect(await apply()).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Applied: 3 of 3.') })
    expect(await get(`${tag}-docs`)).toMatchObject({ redirectStatus: 301, folder: 'Site', title: 'Docs', tags: ['Help', tag] })
    expect(await apply()).toMatchObject({ code: 0, stdout: 'Nothing to do: 3 unchanged.\n' })
    expect((await cli.run(['plan', 'links.yaml', '--check'])).code).toBe(0)
  })

  test('show what someone edited elsewhere, and set it back', async () => {
    write(three())
    await apply()
    await edit(`${tag}-docs`, { url: 'https://example.com/elsewhere', maxClicks: 5, tags: [tag], comment: 'my own' })
    await edit(`${tag}-sale`, { enabled: false, expiresAt: null })
    await browser.ask('DELETE', `/api/v1/links/${encodeURIComponent(`${tag}-team/mia`)}`)
    const drift = await plan()
    expect(drift).toContain(`~ localhost/${tag}-docs\n    url: https://example.com/elsewhere → https://example.com/docs\n`)
    expect(drift).toContain(`tags: ["${tag}"] → ["${tag}","Help"]`)
    expect(drift).toContain('maxClicks: 5 → (none)')
    expect(drift).toContain('expiresAt: (none) → 2999-12-24T18:00:00+01:00')
    expect(drift).toContain('enabled: false → true')
    expect(drift).toContain(`+ localhost/${tag}-team/mia → https://example.com/mia (was deleted)`)
    expect(drift).toContain('Plan: 1 to restore, 2 to change, 0 unchanged.')
    expect(drift).not.toContain('my own')
    expect(await apply()).toMatchObject({ code: 0, stderr: '' })
    expect(await plan()).toBe('Nothing to do: 3 unchanged.\n')
    expect((await get(`${tag}-docs`)).comment).toBe('my own')
  })

  test('delete what left the file only with consent, and nothing that was made without it', async () => {
    write(three())
    await apply()
    await browser.ask('POST', '/api/v1/links', { url: 'https://example.com/own', code: `${tag}-own` })
    write(three().replace(/ {2}- code: .*-docs\n(?: {4}.*\n)+/, ''))
    expect(await plan()).toContain(`- localhost/${tag}-docs → https://example.com/docs\nPlan: 1 to delete, 2 unchanged.`)
    const asked = await apply()
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('use --yes')])
    expect((await app.get(`/${tag}-docs`)).status).toBe(301)
    expect(await apply('--yes')).toMatchObject({ code: 0 })
    expect((await app.get(`/${tag}-docs`)).status).toBe(410)
    expect((await app.get(`/${tag}-own`)).status).toBe(302)
    expect(await plan()).toBe('Nothing to do: 2 unchanged.\n')
  })

  test('adopt a link of the account that was there, and say that another’s code is taken', async () => {
    await browser.ask('POST', '/api/v1/links', { url: 'https://example.com/own', code: `${tag}-own` })
    const { browser: other } = await accountWithKey(app, `Eve${turn}`)
    await other.ask('POST', '/api/v1/links', { url: 'https://example.com/eve', code: `${tag}-eve` })
    write(
      `managedBy: ${tag}\nlinks:\n  - {code: ${tag}-own, url: https://example.com/own}\n  - {code: ${tag}-eve, url: https://example.com/}\n`,
    )
    expect(await plan()).toContain(`~ localhost/${tag}-own (not made by this file so far)\n    tags: [] → ["${tag}"]`)
    const applied = await apply()
    expect([applied.code, applied.stderr]).toEqual([
      5,
      expect.stringMatching(new RegExp(`^terse: localhost/${tag}-eve: .*is taken`)),
    ])
    expect(applied.stdout).toContain('Applied: 1 of 2.')
    expect((await get(`${tag}-own`)).tags).toEqual([tag])
  })

  test('ask a person before they delete', async () => {
    write(`managedBy: ${tag}\nlinks: [{ code: ${tag}-asked, url: https://example.com/ }]`)
    await apply()
    write(`managedBy: ${tag}\nlinks: []`)
    // With a terminal, in which someone types.
    const answered = (answer: string) => cli.shell(`printf '${answer}\\n' | script -qec 'terse apply links.yaml' /dev/null`)
    expect((await answered('no')).stdout).toMatch(/Delete 1 link\? Type “yes”: .*\s+.*Nothing was done/s)
    expect((await app.get(`/${tag}-asked`)).status).toBe(302)
    expect((await answered('yes')).stdout).toContain('Applied: 1 of 1.')
    expect((await app.get(`/${tag}-asked`)).status).toBe(410)
  })

  test.each(['PATCH', 'DELETE'])('lose to an edit that comes before their %s, wherever that is', async (method) => {
    const code = `${tag}-raced`
    const url = 'https://example.com/'
    await browser.ask('POST', '/api/v1/links', { url, code, tags: [tag], title: 'old' })
    const links = method === 'PATCH' ? [{ code, url, title: 'by the file' }] : []
    const file = parseLinkFile(JSON.stringify({ managedBy: tag, links }), 'links.yaml')
    let title = ''
    /** At the last moment before the request that writes. */
    const racing = async (request: Request) => {
      if (request.method === method && title === '') {
        title = 'by hand'
        expect((await edit(code, { title })).status).toBe(200)
      }
      return fetch(request)
    }
    const client = createClient({ url: base, key, fetch: racing as typeof fetch })
    const steps = await planOf(client, file)
    const outcomes = async () => {
      const statuses: (number | undefined)[] = []
      for await (const { error } of applySteps(client, steps, tag)) statuses.push((error as TerseError | undefined)?.status)
      return statuses
    }
    expect(await outcomes()).toEqual([412])
    expect(await get(code)).toMatchObject({ title: 'by hand' })
    // The plan is of before that edit. What it deletes is held to what it showed: where the link leads.
    await edit(code, { title: 'again by hand', url: 'https://example.com/by-hand' })
    expect(await outcomes()).toEqual([412])
    expect(await get(code)).toMatchObject({ title: 'again by hand' })
  })

  test('as JSON, from standard input, tell each step', async () => {
    const text = JSON.stringify({ managedBy: tag, links: [{ code: `${tag}-json`, url: 'https://example.com/' }] })
    const steps = await cli.json(['plan', '-'], { input: text })
    expect(steps).toMatchObject([{ action: 'create', address: { domain: 'localhost', code: `${tag}-json` } }])
  })
})

test('mistakes in a file are all named with their lines, and nothing is done', async () => {
  const mistakes = async (text: string) => {
    write(text)
    const ran = await apply('--yes')
    expect(ran).toMatchObject({ code: 6, stdout: '' })
    return ran.stderr.replace('terse: ', '').trim().split('\n')
  }
  const wrong = `managedBy: ${tag}
links:
  - code: ${tag}-a
    url: https://example.com/
    redirectStatus: 303
    titel: A
  - url: https://example.com/
  - code: ${tag}-b
    url: [https://example.com/]
  - { code: ${tag}-a, url: https://example.com/ }
`
  expect(await mistakes(wrong)).toEqual([
    'links.yaml:5:21: “redirectStatus” has to be one of 301, 302, 307, 308.',
    'links.yaml:6:12: There’s no property “titel” here.',
    'links.yaml:7:5: “code” is missing.',
    'links.yaml:9:10: “url” must be string.',
    `links.yaml:10:13: “${tag}-a” is in this file twice.`,
  ])
  const spelled = `managedBy: ${tag}
defaults: { domain: Go.example.com }
links:
  - { code: ${tag}-a, url: https://example.com/1 }
  - { code: ${tag}-a, url: https://example.com/2, domain: 'go.example.com:443' }
  - { code: ${tag}-a, url: https://example.com/3, domain: GO.example.com }
  - { code: ${tag}-a, url: https://example.com/4, domain: other.example.com }
`
  expect(await mistakes(spelled)).toEqual([5, 6].map((line) => `links.yaml:${line}:13: “${tag}-a” is in this file twice.`))
  // That this is the default domain, only the server knows.
  const named = `managedBy: ${tag}\nlinks: ${JSON.stringify([
    { code: `${tag}-a`, url: 'https://example.com/1' },
    { code: `${tag}-a`, url: 'https://example.com/2', domain: 'localhost' },
  ])}`
  expect(await mistakes(named)).toEqual([`“localhost/${tag}-a” is in this file twice.`])
  expect(await mistakes('managedBy: x\nlinks: [\n')).toEqual([expect.stringMatching(/^links\.yaml:\d+:\d+: /)])
  expect(await mistakes('links: []')).toEqual(['links.yaml:1:1: “managedBy” is missing.'])
  expect((await cli.run(['plan', 'nowhere.yaml'])).code).toBe(2)
})
