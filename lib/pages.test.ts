import { existsSync, readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import nextConfig from '../next.config.js'
import { config } from '../proxy'
import { PAGES } from './pages'

/** Public pages of accounts, and all others by name: as a parameter of Next.js’ paths. */
const ANY_PAGE = `:page(@\\d{8}|@[A-Za-z][\\w-]{2,29}|${PAGES.join('|')})`

it('every folder of app/ that has a page is in the list of pages', () => {
  const paths = readdirSync('app', { recursive: true, encoding: 'utf8' })
  const folders = paths.filter((path) => /[/\\]page\.tsx$/.test(path)).map((path) => path.split(/[/\\]/)[0])
  expect(folders).toContain('dashboard')
  expect(PAGES).toEqual(expect.arrayContaining(folders))
})

it('the policy of proxy.ts and the headers of next.config.js are those of all pages', async () => {
  expect(config.matcher).toEqual(['/', `/${ANY_PAGE}/:rest*`])
  const sources = ((await nextConfig.headers?.()) ?? []).map(({ source }) => source)
  expect(sources).toContain(`/${ANY_PAGE}/:rest*`)
})

it('pages whose address holds a secret are pages', async () => {
  const sources = ((await nextConfig.headers?.()) ?? []).map(({ source }) => /^\/:page\(([a-z|-]+)\)\/:rest\*$/.exec(source)?.[1])
  const secret = sources.flatMap((names) => names?.split('|') ?? [])
  expect(secret).toContain('invite')
  expect(PAGES).toEqual(expect.arrayContaining(secret))
})

it('below a page, what is no page is the app’s to answer, and never a code', async () => {
  const rewrites = (await nextConfig.rewrites?.()) ?? []
  const afterFiles = 'afterFiles' in rewrites ? rewrites.afterFiles : []
  const led = (afterFiles ?? []).flatMap(({ source }) => (/^\/:page\(([a-z|-]+)\)/.exec(source)?.[1] ?? '').split('|'))
  const framed = PAGES.filter((page) => existsSync(`app/${page}/[...rest]/page.tsx`))
  expect(framed).toEqual(['admin', 'dashboard'])
  expect(PAGES.filter((page) => !framed.includes(page) && !led.includes(page))).toEqual([])
})
