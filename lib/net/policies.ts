import { tryAgain } from '@/lib/tools/wait'

/** All rate limits there are; lib/net/limits.ts counts by them. */

/** One rate limit: how many of what in how many seconds. */
export interface Rule {
  /**
   * What is counted. `each`: all that is asked for, by `consume`. `reserved`: what is not given back once it is known that it does not
   * count, by `reserve`. `noted`: all, and nothing is ever refused, by `note`.
   */
  counts: 'each' | 'reserved' | 'noted'
  /** None where nothing is refused, or where a setting says how many. */
  points?: number
  duration: number
  /** What is said of too many: of what there were too many, and whose they are. Nothing where nothing is refused. */
  refusal?: string
}

export const POLICIES = {
  /**
   * Requests to create a link, by one client, before it is known who asks: more than those of `api`, so that an account can
   * create as many as LINKS_PER_MINUTE says; `pointsOf` adds those.
   */
  post: { counts: 'each', points: 300, duration: 60, refusal: 'Too many requests came from your network.' },
  /** Links made without an account, by one client. */
  create: { counts: 'each', points: 60, duration: 60, refusal: 'Too many links were created from your network.' },
  /** Links made by one account, by requests and jobs together; LINKS_PER_MINUTE says how many. */
  links: { counts: 'each', duration: 60, refusal: 'Your account has created as many links as it can in a minute.' },
  /** Lists of links that one client sends: each is read to its end. */
  upload: { counts: 'each', points: 10, duration: 60, refusal: 'Too many lists were sent from your network.' },
  /** Other API requests of one client. */
  api: { counts: 'each', points: 300, duration: 60, refusal: 'Too many requests came from your network.' },
  /** Wrong passwords of one client on one link. */
  unlock: {
    counts: 'reserved',
    points: 10,
    duration: 300,
    refusal: 'Too many wrong passwords for this link came from your network.',
  },
  /** Wrong passwords of all clients on one link. */
  unlockLink: { counts: 'noted', duration: 300 },
  /** Passwords of links that are compared for one client, right or wrong: each is costly. */
  unlockTries: { counts: 'each', points: 120, duration: 60, refusal: 'Too many passwords were tried from your network.' },
  /** Passwords and codes that are tried by one client, and for one account, right or wrong. */
  attempts: { counts: 'each', points: 120, duration: 60, refusal: 'There were too many attempts to sign in.' },
  /** Failed attempts of one client to sign in, by password, second factor or passkey. */
  signIn: { counts: 'reserved', points: 20, duration: 300, refusal: 'Too many attempts to sign in failed from your network.' },
  /** Wrong passwords for one account, and for one name that is typed for it, by all clients together. */
  signInAccount: {
    counts: 'reserved',
    points: 60,
    duration: 900,
    refusal: 'There were too many wrong passwords for this account.',
  },
  /** Wrong passwords for one account, in one browser that signed in to it before. */
  signInDevice: {
    counts: 'reserved',
    points: 20,
    duration: 900,
    refusal: 'Too many wrong passwords were entered in this browser.',
  },
  /** Wrong codes of the second factor for one account, by all clients together. */
  secondFactor: { counts: 'reserved', points: 10, duration: 900, refusal: 'There were too many wrong codes for this account.' },
  /** Wrong codes for one account, in one browser that signed in to it before. */
  secondFactorDevice: {
    counts: 'reserved',
    points: 10,
    duration: 900,
    refusal: 'Too many wrong codes were entered in this browser.',
  },
  /** Accounts made by one client, and addresses of which it was told that they have one. */
  signUp: { counts: 'reserved', points: 10, duration: 3600, refusal: 'Too many accounts were created from your network.' },
  /** Requests of one client to make the first admin. */
  setup: { counts: 'each', points: 120, duration: 60, refusal: 'Too many requests came from your network.' },
  /** Mails asked for by one client: resets, verifications. */
  mail: { counts: 'each', points: 10, duration: 3600, refusal: 'Too many mails were requested from your network.' },
  /** Mails of one purpose to one address, that its owner may have asked for. */
  mailTo: { counts: 'each', points: 10, duration: 3600, refusal: 'Too many mails were requested for this address.' },
  /** Of those, what one client may cause. */
  mailShare: { counts: 'each', points: 3, duration: 3600, refusal: 'Too many mails were requested for this address.' },
  /** Mails to one address that only tell what a stranger did. */
  mailNotice: { counts: 'each', points: 2, duration: 86_400, refusal: 'Too many mails were requested for this address.' },
  /** Other requests about one's own account. */
  account: { counts: 'each', points: 120, duration: 60, refusal: 'Too many requests about accounts came from your network.' },
  /** Links reported by one client. */
  report: { counts: 'each', points: 10, duration: 3600, refusal: 'Too many reports came from your network.' },
  /** Numbers that one client tried and that were no spoken code. */
  spokenMiss: { counts: 'reserved', points: 20, duration: 300, refusal: 'Too many numbers were tried from your network.' },
  /** Numbers that one client tried and that were spoken codes, each once. */
  spokenHit: { counts: 'reserved', points: 60, duration: 300, refusal: 'Too many numbers were tried from your network.' },
  /** One number told to one client. */
  spokenTold: { counts: 'each', points: 1, duration: 300, refusal: 'This number was opened from your network a moment ago.' },
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
  return policy === 'post' ? points + linksPerMinute : points
}

/** What is said of a policy that lets no more through, with when it does again. */
export function refusalOf(policy: Policy, retryAfter: number): string {
  const { refusal = 'There were too many requests.' }: Rule = POLICIES[policy]
  return `${refusal} ${tryAgain(retryAfter)}`
}
