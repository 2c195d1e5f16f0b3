import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ConfigError, describeSettings, readConfig, SETTING_NAMES } from './config'

const folder = mkdtempSync(join(tmpdir(), 'terse-config-'))
afterAll(() => rmSync(folder, { recursive: true }))

const BASIC = {
  NODE_ENV: 'production',
  DATABASE_URL: 'mysql://terse:pw@127.0.0.1:3306/terse',
  REDIS_URL: 'redis://127.0.0.1:6379/0',
  APP_SECRET: 'a secret of enough characters',
} as const
const read = (given: Record<string, string | undefined> = {}) => readConfig({ ...BASIC, ...given } as NodeJS.ProcessEnv)

describe('a setting', () => {
  it.each([
    ['NODE_ENV', ['staging']],
    ['DATABASE_URL', ['postgres://host/db', 'localhost', 'mysql://host:99999/db']],
    [
      'REDIS_URL',
      [
        'http://host',
        'localhost:6379',
        'redis://host:99999',
        'redis+sentinel://host:26379',
        'redis+sentinel:///main',
        'redis://a,http://b',
      ],
    ],
    ['PORT', ['-1', '65536', '80a', '3000.5', ' ']],
    ['BASE_URL', ['go.example.com', 'ftp://go.example.com', '/']],
    ['ROLE', ['EDGE', 'web']],
    ['CLICK_DURABILITY', ['slow', 'SAFE']],
    ['CLICK_RETENTION_DAYS', ['0', '-1', 'never']],
    ['COUNTRY_HEADER', ['CF IPCountry', 'a:b']],
    ['WEB_CONCURRENCY', ['0', '257', 'auto']],
    ['APP_SECRET', ['short']],
    ['RATE_LIMIT', ['true', '0']],
    ['ANONYMOUS_LINKS', ['no']],
    ['CODE_LENGTH', ['3', '11', 'seven']],
    ['CODE_REUSE_AFTER', ['90 days', '-1d', '1w', 'Never', '1.5h']],
    ['BLOOM_CAPACITY', ['999', '2000000001', '1e6']],
    ['BLOOM_ERROR_RATE', ['0', '1', '0.2', 'low', '-0.1', 'NaN']],
    ['BLOOM_IMPLEMENTATION', ['redis']],
    ['CACHE_MB', ['-1', '2001', 'all']],
    ['DATABASE_POOL', ['0', '201']],
    ['REFERRER_POLICY', ['none']],
    ['CDN_CACHE_SECONDS', ['-1', '86401', '1h']],
    ['LOG_LEVEL', ['verbose']],
    ['BRAND_NAME', [' ', 'a'.repeat(41), 'two\nlines', 'a\u202eb']],
    ['BRAND_COLOR', ['blue', '#12f', '#1a4fd0ff', 'rgb(1,2,3)', '#gggggg', '#fff;}']],
    [
      'BRAND_LINKS',
      [
        'Imprint',
        '=https://a.example',
        'A=javascript:alert(1)',
        'A=//evil.example',
        'A=imprint',
        'A=https://',
        `${'a'.repeat(41)}=/a`,
      ],
    ],
    ['BRAND_LINKS', [Array.from({ length: 7 }, (_, i) => `L${i}=/${i}`).join(',')]],
  ])('%s that is wrong is refused by its name, in one line', (name, values) => {
    expect(SETTING_NAMES).toContain(name)
    for (const value of values) {
      expect(() => read({ [name]: value }), value).toThrow(ConfigError)
      expect(() => read({ [name]: value }), value).toThrow(new RegExp(`^${name}: [^\n]+$`))
    }
  })

  it('is reported together with all others that are wrong', () => {
    expect(() => read({ PORT: 'x', ROLE: 'y' })).toThrow(/^PORT: .+; ROLE: .+$/)
  })

  it('that is empty counts as unset', () => {
    const empty = Object.fromEntries(SETTING_NAMES.filter((name) => !(name in BASIC)).map((name) => [name, '']))
    expect(read(empty)).toEqual(read())
  })

  it('has the default that DESIGN gives it', () => {
    expect(read()).toMatchObject({
      PORT: 3000,
      HOST: '127.0.0.1',
      BASE_URL: 'http://localhost:3000',
      ROLE: 'all',
      WEB_CONCURRENCY: 1,
      TRUSTED_PROXIES: [],
      RATE_LIMIT: true,
      CODE_LENGTH: 7,
      CODE_REUSE_AFTER: 90 * 86_400_000,
      BLOOM_CAPACITY: 10_000_000,
      BLOOM_ERROR_RATE: 0.001,
      CDN_CACHE_SECONDS: 0,
    })
  })

  it.each([
    ['90d', 90 * 86_400_000],
    ['12h', 12 * 3_600_000],
    ['30m', 30 * 60_000],
    ['45s', 45_000],
    ['45', 45_000],
    ['0', 0],
    ['never', Number.POSITIVE_INFINITY],
  ])('CODE_REUSE_AFTER=%s is %d ms', (text, ms) => {
    expect(read({ CODE_REUSE_AFTER: text }).CODE_REUSE_AFTER).toBe(ms)
  })

  it('is read where it makes a list or ends with a slash', () => {
    const config = read({ TRUSTED_PROXIES: ' 10.0.0.0/8, ::1 ,', BASE_URL: 'https://go.example.com//' })
    expect(config).toMatchObject({ TRUSTED_PROXIES: ['10.0.0.0/8', '::1'], BASE_URL: 'https://go.example.com' })
  })

  it('of the brand is read as it is written', () => {
    const links = 'Imprint=https://example.com/imprint?a=b , Privacy=/privacy,Mail=mailto:a@example.com,'
    expect(read({ BRAND_NAME: ' Acme & Söhne ', BRAND_COLOR: '#FF6A00', BRAND_LINKS: links })).toMatchObject({
      BRAND_NAME: 'Acme & Söhne',
      BRAND_COLOR: '#ff6a00',
      BRAND_LINKS: [
        { label: 'Imprint', url: 'https://example.com/imprint?a=b' },
        { label: 'Privacy', url: '/privacy' },
        { label: 'Mail', url: 'mailto:a@example.com' },
      ],
    })
  })

  it('cannot be changed afterwards', () => {
    expect(() => Object.assign(read(), { PORT: 1 })).toThrow(TypeError)
  })
})

describe('the secret', () => {
  it('may be in a file, which must be readable and long enough', () => {
    const file = join(folder, 'secret')
    writeFileSync(file, 'a secret kept in a file\n')
    expect(read({ APP_SECRET: '', APP_SECRET_FILE: file }).APP_SECRET).toBe('a secret kept in a file')
    writeFileSync(file, 'short\n')
    expect(() => read({ APP_SECRET: '', APP_SECRET_FILE: file })).toThrow(/^APP_SECRET_FILE: .*16/)
    expect(() => read({ APP_SECRET: '', APP_SECRET_FILE: join(folder, 'none') })).toThrow(/^APP_SECRET_FILE: cannot read/)
  })

  it('is required in production, since another one at each start would change every code', () => {
    expect(() => read({ APP_SECRET: '' })).toThrow(/^APP_SECRET: required/)
  })

  it('is made once elsewhere, and kept where only its owner reads it', () => {
    const unset = { NODE_ENV: 'development', APP_SECRET: '', DATA_DIR: join(folder, 'data') }
    const first = read(unset).APP_SECRET
    expect(first).toMatch(/^[\w-]{43}$/)
    expect(read(unset).APP_SECRET).toBe(first)
    expect(statSync(join(folder, 'data', 'app-secret')).mode & 0o777).toBe(0o600)
  })
})

describe('without servers', () => {
  it.each(['DATABASE_URL', 'REDIS_URL'])('a missing %s is said with the way out', (name) => {
    expect(() => read({ [name]: undefined })).toThrow(/DATABASE_URL and REDIS_URL .*npm start/)
  })
})

describe('the list of settings', () => {
  const example = readFileSync('.env.example', 'utf8')
  const entries = [...example.matchAll(/^(?:# )?([A-Z][A-Z_]*)=(.*)$/gm)].map(
    ([, name = '', value = '']) => [name, value] as const,
  )

  it('is all in .env.example, each once, with its meaning above it', () => {
    expect(entries.map(([name]) => name).sort()).toEqual([...SETTING_NAMES].sort())
    expect(example.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([])
  })

  it('has its true defaults in .env.example', () => {
    const given = Object.fromEntries(entries.filter(([, value]) => value !== ''))
    // Which were given is all that differs.
    expect({ ...read(given), given: null }).toEqual({ ...read(), given: null })
    const optional = entries.filter(([, value]) => value === '').map(([name]) => name)
    expect(optional.sort()).toEqual([
      'ADMIN_EMAIL',
      'ADMIN_PASSWORD',
      'APP_SECRET',
      'APP_SECRET_FILE',
      'BACKUP_PASSPHRASE',
      'BASE_URL',
      'BRAND_COLOR',
      'BRAND_LINKS',
      'BRAND_MARK',
      'COPY_BUCKET_KEY_ID',
      'COPY_BUCKET_SECRET',
      'COPY_TO',
      'COUNTRY_HEADER',
      'DATABASE_URL',
      'EDGE_REDIS_URL',
      'FETCH_ALLOW',
      'FOREIGN_APIS',
      'GEO_DATABASE',
      'LINK_SCHEMES',
      'MAIL_FROM',
      'METRICS_TOKEN',
      'OIDC_CLIENT_ID',
      'OIDC_CLIENT_SECRET',
      'OIDC_ISSUER',
      'REDIS_URL',
      'SMTP_URL',
      'TRUSTED_PROXIES',
      'UPSTREAM_ALLOW',
    ])
  })

  it("is all in the README's table of settings, and nothing else is", () => {
    const table = /^\| setting \|.*\n((?:\|.*\n)+)/m.exec(readFileSync('README.md', 'utf8'))?.[1] ?? ''
    const rows = table.split('\n').map((line) => line.split('|')[1] ?? '')
    const names = rows.flatMap((cell) => [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name))
    expect(names.sort()).toEqual([...SETTING_NAMES].sort())
  })

  it('is all in --help, one a line', () => {
    const lines = describeSettings().split('\n')
    expect(lines.map((line) => line.trim().split(/\s+/)[0])).toEqual(SETTING_NAMES)
    for (const line of lines) expect(line).toMatch(/^ {2}[A-Z_]+ {2,}\S.+/)
  })
})
