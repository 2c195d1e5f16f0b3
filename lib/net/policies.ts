import type { Messages } from '@/lib/i18n/catalogue'
import { type Message, say } from '@/lib/i18n/message'
import { waitFor } from '@/lib/tools/wait'

/** All rate limits there are; lib/net/limits.ts counts by them. */

/** Names what is said, in messages/en/api.json. */
type Refusal = keyof Messages['api']['limit']

/** One rate limit: how many of what in how many seconds. */
export interface Rule {
  /**
   * What is counted. `each`: all that is asked for, by `consume`. `reserved`: what is not given back once it is known that it
   * does not count, by `reserve`. `noted`: all, and nothing is ever refused, by `note`.
   */
  counts: 'each' | 'reserved' | 'noted'
  /** None where nothing is refused, or where a setting says how many. */
  points?: number
  duration: number
  /** What is said of too many: of what there were too many, and whose they are. Nothing where nothing is refused. */
  refusal?: Refusal
}

/** So many in so many seconds. */
const rule =
  <C extends Rule['counts']>(counts: C) =>
  (points: number, duration: number, refusal: Refusal) => ({ counts, points, duration, refusal })
const each = rule('each')
const reserved = rule('reserved')

export const POLICIES = {
  /**
   * Requests to create a link, by one client, before it is known who asks: more than those of `api`, so that an account can
   * create as many as LINKS_PER_MINUTE says; `pointsOf` adds those.
   */
  post: each(300, 60, 'requests'),
  /**
   * Forms that one client sends without scripts, before they are read: as many as `post`, since many only lead to a refusal and
   * to no endpoint with a limit of its own.
   */
  form: each(300, 60, 'requests'),
  /** Links made without an account, by one client. */
  create: each(60, 60, 'links'),
  /** Links made by one account, by requests and jobs together; LINKS_PER_MINUTE says how many. */
  links: { counts: 'each', duration: 60, refusal: 'accountLinks' },
  /** Numbers of series that one account draws: each leaves a row. */
  numbers: each(200_000, 3600, 'seriesNumbers'),
  /** Conversions that one account reports: each leaves a row. */
  conversions: each(6_000, 60, 'conversions'),
  /** Lists of links that one client sends: each is read to its end. */
  upload: each(10, 60, 'uploads'),
  /** QR codes that are drawn for one client. */
  qr: each(120, 60, 'requests'),
  /** Sheets of QR codes, and logos for them, that one client asks for: each takes a while. */
  sheet: each(10, 60, 'requests'),
  /** Rehearsals of rules, each on thousands of clicks. */
  rehearsal: each(20, 60, 'requests'),
  /** Shared statistics, badges and charts that one client asks for: many may be behind one proxy. */
  shared: each(600, 60, 'requests'),
  /** Other API requests of one client. */
  api: each(300, 60, 'requests'),
  /** Wrong passwords of one client on one link. */
  unlock: reserved(10, 300, 'linkPasswords'),
  /** Wrong passwords of all clients on one link. */
  unlockLink: { counts: 'noted', duration: 300 },
  /** Passwords of links that are compared for one client, right or wrong: each is costly. */
  unlockTries: each(120, 60, 'passwordTries'),
  /** Passwords and codes that are tried by one client, and for one account, right or wrong. */
  attempts: each(120, 60, 'attempts'),
  /** Failed attempts of one client to sign in, by password, second factor or passkey. */
  signIn: reserved(20, 300, 'signIn'),
  /** Wrong passwords for one account, and for one name that is typed for it, by all clients together. */
  signInAccount: reserved(60, 900, 'accountPasswords'),
  /** Wrong passwords for one account, in one browser that signed in to it before. */
  signInDevice: reserved(20, 900, 'devicePasswords'),
  /** Wrong codes of the second factor for one account, by all clients together. */
  secondFactor: reserved(10, 900, 'accountCodes'),
  /** Wrong codes for one account, in one browser that signed in to it before. */
  secondFactorDevice: reserved(10, 900, 'deviceCodes'),
  /** Accounts made by one client, and addresses of which it was told that they have one. */
  signUp: reserved(10, 3600, 'signUp'),
  /** Requests of one client to make the first admin. */
  setup: each(120, 60, 'requests'),
  /** Mails asked for by one client: resets, verifications. */
  mail: each(10, 3600, 'mail'),
  /** Mails of one purpose to one address, that its owner may have asked for. */
  mailTo: each(10, 3600, 'mailTo'),
  /** Of those, what one client may cause. */
  mailShare: each(3, 3600, 'mailTo'),
  /** Mails to one address that only tell what a stranger did. */
  mailNotice: each(2, 86_400, 'mailTo'),
  /** Other requests about one's own account. */
  account: each(120, 60, 'requests'),
  /** What one account has sent to its webhooks at once, past the pauses of those that fail: tests, and deliveries sent again. */
  webhookSends: each(10, 60, 'webhookSends'),
  /** Links reported by one client. */
  report: each(10, 3600, 'reports'),
  /** Numbers that one client tried and that were no spoken code. */
  spokenMiss: reserved(20, 300, 'numbers'),
  /** Numbers that one client tried and that were spoken codes, each once. */
  spokenHit: reserved(60, 300, 'numbers'),
  /** One number told to one client. */
  spokenTold: each(1, 300, 'numberTold'),
} as const satisfies Record<string, Rule>

type Policies = typeof POLICIES
export type Policy = keyof Policies
type Counting<C extends Rule['counts']> = { [N in Policy]: Policies[N]['counts'] extends C ? N : never }[Policy]
export type EachPolicy = Counting<'each'>
export type ReservedPolicy = Counting<'reserved'>
export type NotedPolicy = Counting<'noted'>

/** How many a policy lets through. @param linksPerMinute LINKS_PER_MINUTE */
export function pointsOf(policy: Policy, linksPerMinute: number): number {
  const { points = Number.MAX_SAFE_INTEGER }: Rule = POLICIES[policy]
  if (policy === 'links') return linksPerMinute
  return policy === 'post' || policy === 'form' ? points + linksPerMinute : points
}

/** What is said of a policy that lets no more through, with when it does again. @param retryAfter seconds */
export function refusalOf(policy: Policy, retryAfter: number): Message {
  const { refusal = 'requests' }: Rule = POLICIES[policy]
  return say('forms.limited', { why: say(`api.limit.${refusal}`), wait: waitFor(retryAfter) })
}
