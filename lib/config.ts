import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { z } from 'zod'
import { parseBucketUrl } from '@/lib/tools/bucket-url'
import { COPY_FORMATS } from '@/lib/tools/copy-formats'
import { parseLabelLinks } from '@/lib/tools/label-links'
import { NEVER_OPENED, SCHEME } from '@/lib/tools/schemes'
import { DAY } from '@/lib/tools/time'
import { parseUrl } from '@/lib/tools/url'
import { parseDatabaseUrl } from './tools/database-url'
import { parseRedisUrl } from './tools/redis-url'

/** The shorteners whose APIs can be spoken. */
export const FOREIGN_APIS = ['yourls', 'kutt', 'shlink', 'bitly', 'dub'] as const
export type ForeignApi = (typeof FOREIGN_APIS)[number]

const UNITS = { s: 1, m: 60, h: 3600, d: 86_400 } as const

/** `90d`, `12h`, `30m`, `45s` or plain seconds, as milliseconds. */
const duration = z
  .string()
  .regex(/^\d+[smhd]?$/, 'use a number with s, m, h or d, such as 90d')
  .transform((text) => {
    const unit = text.at(-1) as keyof typeof UNITS
    return Number.parseInt(text, 10) * (UNITS[unit] ?? 1) * 1000
  })

const integer = (min: number, max: number) =>
  z.string().regex(/^\d+$/, 'must be a whole number').transform(Number).pipe(z.number().min(min).max(max))

const onOff = z.enum(['on', 'off']).transform((value) => value === 'on')
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
)

/** Passes on what is wrong with a text by its parser. */
const readableBy = (parse: (text: string) => unknown) => (text: string, check: z.core.$RefinementCtx<string>) => {
  try {
    parse(text)
  } catch (error) {
    check.addIssue({ code: 'custom', message: (error as Error).message })
  }
}

const SETTINGS = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('production').describe('Set by the launcher'),
  DATABASE_URL: z
    .string()
    .superRefine(readableBy(parseDatabaseUrl))
    .optional()
    .describe(
      'MySQL 8.4+ or MariaDB 10.11+: mysql://user:password@host:3306/name; ?ssl-mode=VERIFY_IDENTITY, and &ssl-ca=/path/to/ca.pem for an authority of its own, encrypts the connection. Unset: a private server under .terse/',
    ),
  REDIS_URL: z
    .string()
    .superRefine(readableBy(parseRedisUrl))
    .optional()
    .describe(
      'Redis 7+ or Valkey. redis://host; several, separated by commas, for a Redis Cluster; redis+sentinel://host:26379,host2:26379/name for the master of that name. Unset: a private server under .terse/',
    ),
  EDGE_REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//, 'must begin with redis:// or rediss://')
    .refine((text) => parseUrl(text) !== null, 'is not a URL')
    .optional()
    .describe('With ROLE=edge: a Redis nearby that keeps copies of links, and clicks on their way to REDIS_URL. Unset: none'),
  PORT: integer(0, 65_535).default(3000).describe('Port to listen on'),
  HOST: z.string().min(1).default('127.0.0.1').describe('Address to listen on'),
  BASE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('Public address; every absolute URL is built from it. Unset: http://localhost:$PORT'),
  ROLE: z
    .enum(['all', 'edge', 'worker'])
    .default('all')
    .describe('all: pages, API, redirects and counting; edge: redirects only; worker: counting only'),
  WEB_CONCURRENCY: integer(1, 256).default(1).describe('Number of processes'),
  APP_SECRET: z
    .string()
    .min(16, 'must have at least 16 characters')
    .optional()
    .describe('Secret that codes and tokens are derived from; never change it. Unset: created once and kept in .terse/'),
  APP_SECRET_FILE: z.string().optional().describe('File that holds APP_SECRET'),
  DATA_DIR: z.string().default('.terse').describe('Folder for private data'),
  TRUSTED_PROXIES: list.default([]).describe('Addresses or CIDR ranges whose X-Forwarded-For is trusted, separated by commas'),
  METRICS_TOKEN: z
    .string()
    .min(16, 'must have at least 16 characters')
    .optional()
    .describe(
      'Bearer token that opens /metrics and the details of /readyz from anywhere. Unset: this machine and TRUSTED_PROXIES only',
    ),
  RATE_LIMIT: onOff.default(true).describe('on or off: limits per client. Turn this off for load tests only'),
  LINKS_PER_MINUTE: integer(1, 1_000_000)
    .default(600)
    .describe(
      'Links an account can create per minute, by requests and imports together; a larger import continues in the next minute',
    ),
  IMPORT_ROWS: integer(1, 1_000_000)
    .default(1_000_000)
    .describe('Links of one import, and of all unfinished imports of an account together'),
  ANONYMOUS_LINKS: onOff.default(true).describe('on or off: whether people can create links without an account'),
  PRELOAD_PAGES: onOff
    .default(true)
    .describe(
      'on: pages and sign-in are loaded before the process takes requests. off: with the first that asks for them, which holds up ' +
        'redirects for half a second; a process that is asked for none starts sooner and takes less memory',
    ),
  OFFLINE_PAGE: onOff
    .default(true)
    .describe(
      'on or off: whether browsers keep a front page that takes URLs without a network. Off also removes it where it is kept',
    ),
  SIGN_UP: z
    .enum(['open', 'invitation', 'closed'])
    .default('open')
    .describe('Who can sign up: anyone, people an admin invites, or nobody'),
  ADMIN_EMAIL: z.email().optional().describe('Email of the first admin, created at start. Unset: created at /setup'),
  ADMIN_PASSWORD: z.string().min(8, 'must have at least 8 characters').max(128).optional().describe("The first admin's password"),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://')
    .refine((text) => parseUrl(text) !== null, 'is not a URL')
    .optional()
    .describe(
      'Mail server, such as smtps://user:password@mail.example.com. Unset: no emails are sent, and no email is confirmed',
    ),
  MAIL_FROM: z.string().min(3).optional().describe('Sender of emails. Unset: BRAND_NAME <no-reply@host of BASE_URL>'),
  BRAND_NAME: z
    .string()
    .trim()
    .min(1)
    .max(40)
    .regex(/^\P{C}*$/u, 'must be one line of plain text')
    .default('Terse')
    .describe('Name of this site on its pages and in its emails'),
  BRAND_MARK: z.string().optional().describe("Logo file, an SVG or PNG of up to 64 KB. Unset: Terse's own"),
  BRAND_COLOR: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'must be a color such as #1a4fd0')
    .toLowerCase()
    .optional()
    .describe("Color, such as #1a4fd0; shades and the text on it are derived from it. Unset: Terse's own"),
  BRAND_LINKS: z
    .string()
    .transform((text, check) => {
      try {
        return parseLabelLinks(text)
      } catch (error) {
        check.addIssue({ code: 'custom', message: (error as Error).message })
        return z.NEVER
      }
    })
    .default([])
    .describe('Footer links of every page and email: Imprint=https://example.com/imprint,Privacy=/privacy'),
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('OpenID Connect provider to sign in with; its discovery document is read'),
  OIDC_CLIENT_ID: z.string().min(1).optional().describe('Client ID from the provider'),
  OIDC_CLIENT_SECRET: z.string().min(1).optional().describe('Client secret from the provider'),
  OIDC_NAME: z.string().min(1).max(40).default('single sign-on').describe('Name on the button: Continue with …'),
  SPOKEN_GRACE: duration.default(600_000).describe('How long a spoken number rests after it expires, before it is used again'),
  JOB_COUNTER_DAYS: integer(1, 365).default(7).describe('Calendar days to keep the daily counters of job numbers in Redis'),
  CODE_LENGTH: integer(4, 10).default(7).describe('Characters in a generated code'),
  CODE_REUSE_AFTER: z
    .union([z.literal('never').transform(() => Number.POSITIVE_INFINITY), duration])
    .default(90 * DAY)
    .describe('How long a deleted code answers 410 before someone can use it again: 90d, 12h, 0, never'),
  BLOOM_CAPACITY: integer(1_000, 2_000_000_000)
    .default(10_000_000)
    .describe('Codes the Bloom filter has room for at first; it grows by itself'),
  BLOOM_MAX_CAPACITY: integer(1_000, 2_000_000_000)
    .default(1_000_000_000)
    .describe('The most codes it grows to by itself: 1,000,000,000 take 1.8 GB of Redis at 0.001, and twice that while it grows'),
  BLOOM_ERROR_RATE: z.coerce.number().min(0.000001).max(0.1).default(0.001).describe('Share of false positives at that size'),
  BLOOM_IMPLEMENTATION: z
    .enum(['auto', 'native', 'bitmap'])
    .default('auto')
    .describe('auto: RedisBloom if the server has it, otherwise a plain bitmap'),
  CACHE_MB: integer(0, 2_000).default(64).describe('Megabytes in which each process keeps links; 0 turns this cache off'),
  DATABASE_POOL: integer(1, 200).default(15).describe('MySQL connections of each process'),
  REFERRER_POLICY: z
    .enum([
      'no-referrer',
      'origin',
      'strict-origin',
      'unsafe-url',
      'no-referrer-when-downgrade',
      'strict-origin-when-cross-origin',
    ])
    .default('no-referrer-when-downgrade')
    .describe('Referrer-Policy header of redirects'),
  CDN_CACHE_SECONDS: integer(0, 86_400)
    .default(0)
    .describe('Seconds a CDN can cache plain redirects (CDN-Cache-Control). Redirects that a CDN answers are not counted'),
  CLICK_DURABILITY: z
    .enum(['safe', 'fast'])
    .default('safe')
    .describe("safe: a redirect waits until its click is safe outside the process; fast: it doesn't"),
  CLICK_REPLICAS: integer(0, 5)
    .default(0)
    .describe(
      'How many replicas of Redis must have a click before its redirect is answered. Where fewer have it in time, it goes to the spool',
    ),
  CLICK_RETENTION_DAYS: integer(1, 36_500).default(365).describe('Days to keep single clicks; their counts stay'),
  CLICK_STREAM_MB: integer(1, 1_000_000)
    .default(256)
    .describe('Megabytes of clicks that can wait in Redis to be counted; more wait in the spool under DATA_DIR'),
  DO_NOT_TRACK: onOff.default(false).describe('on: visitors who send DNT or Sec-GPC are not counted'),
  FAVICONS: onOff
    .default(false)
    .describe('on: lists show the icons of the sites that links lead to, which Terse fetches from them. off: it asks no site'),
  LINK_SCHEMES: list
    .transform((names) => [...new Set(names.map((name) => name.toLowerCase().replace(/:$/, '')))])
    .superRefine((names, context) => {
      for (const name of names) {
        if (!SCHEME.test(name)) context.addIssue({ code: 'custom', message: `“${name}” is no scheme, such as mailto` })
        else if (NEVER_OPENED.has(name)) {
          context.addIssue({
            code: 'custom',
            message: `“${name}:” is never allowed: it could run code or read files of visitors`,
          })
        }
      }
    })
    .default([])
    .describe(
      'Schemes beside http and https that links can lead to, separated by commas, such as mailto, tel, spotify. Unset: none',
    ),
  FOREIGN_APIS: list
    .pipe(z.array(z.enum(FOREIGN_APIS)))
    .default([])
    .describe(
      'APIs of other shorteners that this site also speaks, separated by commas: yourls, kutt, shlink, bitly, dub. Their scripts and apps then work with API keys of accounts here',
    ),
  FETCH_ALLOW: list
    .default([])
    .describe(
      'Private addresses or CIDR ranges that webhooks, previews and checks of destinations can reach all the same, at any port, separated by commas. Unset: none',
    ),
  UPSTREAM_ALLOW: list
    .default([])
    .describe(
      'Private addresses or CIDR ranges at which the old shortener of a domain can be, besides those of FETCH_ALLOW, at any port, separated by commas. Unset: none',
    ),
  UPSTREAM_PER_SECOND: integer(1, 10_000)
    .default(50)
    .describe('Unknown codes that the old shortener of a domain is asked for in a second, by all processes together'),
  COUNTRY_HEADER: z
    .string()
    .regex(/^[A-Za-z0-9-]+$/, 'must be the name of a header')
    .transform((name) => name.toLowerCase())
    .optional()
    .describe("Header in which a trusted proxy sends the visitor's country, such as CF-IPCountry"),
  GEO_DATABASE: z.string().optional().describe('Your own city database (.mmdb), instead of the included one'),
  BACKUP_PASSPHRASE: z
    .string()
    .min(12, 'must have at least 12 characters')
    .optional()
    .describe('Passphrase of `npm run backup` and `npm run restore`. Unset: asked for'),
  COPY_TO: z
    .string()
    .refine(
      (text) => !/^[a-z0-9+.-]+:\/\//i.test(text) || parseBucketUrl(text) !== null,
      'must be a folder, or the address of a bucket',
    )
    .optional()
    .describe(
      'Where a copy of all links is put each night: a folder, or a bucket with the protocol of S3 as https://host/bucket/prefix. Unset: nowhere',
    ),
  COPY_AT: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 03:00')
    .default('03:00')
    .describe('When the nightly copy begins, in UTC'),
  COPY_KEEP: integer(1, 10_000).default(14).describe('How many nightly copies are kept'),
  COPY_FORMATS: list
    .superRefine((names, context) => {
      const unknown = names.find((name) => !(COPY_FORMATS as readonly string[]).includes(name))
      if (unknown === undefined && names.length > 0) return
      context.addIssue({ code: 'custom', message: `use any of ${COPY_FORMATS.join(', ')}` })
    })
    .default(['jsonl'])
    .describe(
      'What a nightly copy holds, separated by commas: jsonl, json and csv are for an import, the others for other servers',
    ),
  COPY_BUCKET_REGION: z.string().min(1).default('us-east-1').describe('Region of the bucket of COPY_TO'),
  COPY_BUCKET_KEY_ID: z.string().min(1).optional().describe('ID of the access key for the bucket of COPY_TO'),
  COPY_BUCKET_SECRET: z.string().min(1).optional().describe('Secret of that access key'),
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('Least severe log line to write'),
})

export type Config = Readonly<
  Omit<z.infer<typeof SETTINGS>, 'APP_SECRET' | 'APP_SECRET_FILE' | 'BASE_URL' | 'DATABASE_URL' | 'REDIS_URL'> & {
    APP_SECRET: string
    DATABASE_URL: string
    REDIS_URL: string
    /** Without a trailing slash. */
    BASE_URL: string
    /** Names of the settings that were given: the others have their defaults. */
    given: ReadonlySet<string>
  }
>

/** The URL of the Redis near this process, or null where there is none but that of REDIS_URL. */
export const nearbyRedisUrl = ({ ROLE, EDGE_REDIS_URL }: Config): string | null => (ROLE === 'edge' && EDGE_REDIS_URL) || null

/** A setting is missing or wrong. Its message is one line, fit for the terminal. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/**
 * Reads and validates every setting. Nothing else in the project reads the environment.
 * @throws ConfigError naming each wrong setting
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  // An empty variable counts as unset: that is what `FOO= npm start` and compose files mean by it.
  const given = Object.fromEntries(Object.keys(SETTINGS.shape).map((key) => [key, env[key] || undefined]))
  const parsed = SETTINGS.safeParse(given)
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '))
  }
  const settings = parsed.data
  const { DATABASE_URL, REDIS_URL } = settings
  if (!DATABASE_URL || !REDIS_URL) {
    throw new ConfigError('DATABASE_URL and REDIS_URL are not set; `npm start` provides private servers')
  }
  if (settings.ADMIN_EMAIL && !settings.ADMIN_PASSWORD) throw new ConfigError('ADMIN_PASSWORD: required with ADMIN_EMAIL')
  if (settings.OIDC_ISSUER && !(settings.OIDC_CLIENT_ID && settings.OIDC_CLIENT_SECRET)) {
    throw new ConfigError('OIDC_CLIENT_ID and OIDC_CLIENT_SECRET: required with OIDC_ISSUER')
  }
  if (settings.COPY_TO && parseBucketUrl(settings.COPY_TO) && !(settings.COPY_BUCKET_KEY_ID && settings.COPY_BUCKET_SECRET)) {
    throw new ConfigError('COPY_BUCKET_KEY_ID and COPY_BUCKET_SECRET: required where COPY_TO is a bucket')
  }
  const { APP_SECRET_FILE: _file, ...rest } = settings
  return Object.freeze({
    ...rest,
    DATABASE_URL,
    REDIS_URL,
    APP_SECRET: readSecret(settings),
    given: new Set(Object.keys(given).filter((key) => given[key] !== undefined)),
    BASE_URL: (settings.BASE_URL ?? `http://localhost:${settings.PORT}`).replace(/\/+$/, ''),
  })
}

/** The passphrase of backups alone, for what needs no other setting. @throws ConfigError */
export function readBackupPassphrase(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const parsed = SETTINGS.shape.BACKUP_PASSPHRASE.safeParse(env.BACKUP_PASSPHRASE || undefined)
  if (!parsed.success) throw new ConfigError(`BACKUP_PASSPHRASE: ${parsed.error.issues[0]?.message}`)
  return parsed.data
}

function readSecret(settings: z.infer<typeof SETTINGS>): string {
  if (settings.APP_SECRET) return settings.APP_SECRET
  if (settings.APP_SECRET_FILE) {
    const secret = readFileOrThrow(settings.APP_SECRET_FILE)
    if (secret.length < 16) throw new ConfigError('APP_SECRET_FILE: must hold at least 16 characters')
    return secret
  }
  if (settings.NODE_ENV === 'production') {
    throw new ConfigError('APP_SECRET: required in production when DATABASE_URL is set (try: openssl rand -base64 32)')
  }
  const path = join(resolve(settings.DATA_DIR), 'app-secret')
  mkdirSync(resolve(settings.DATA_DIR), { recursive: true })
  try {
    writeFileSync(path, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  return readFileSync(path, 'utf8').trim()
}

function readFileOrThrow(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (cause) {
    throw new ConfigError(`APP_SECRET_FILE: cannot read ${path}`, { cause })
  }
}

/** Every setting with its meaning, one a line; `--help` prints it. */
export function describeSettings(): string {
  const width = Math.max(...Object.keys(SETTINGS.shape).map((key) => key.length))
  return Object.entries(SETTINGS.shape)
    .map(([key, schema]) => `  ${key.padEnd(width)}  ${schema.description ?? ''}`)
    .join('\n')
}

/** The names of all settings, for tests that hold `.env.example` and the README to this list. */
export const SETTING_NAMES = Object.keys(SETTINGS.shape)
