import { type Address, Ranges, readAddress } from '@/lib/net/ranges'
import { type LocalTime, localTime } from './local-time'

/** What conditions compare with a list of values. Names and values are those of statistics. */
export const LISTED = ['device', 'os', 'browser', 'language', 'country', 'city', 'referrer'] as const
export type Listed = (typeof LISTED)[number]

/** Holds if a fact about the visitor is in the list; with `not`, if it isn’t. */
export interface ListCondition {
  of: Listed
  in: string[]
  not?: boolean
}

/** Holds if the query has the parameter; with `in`, if one of its values is in the list; with `not`, otherwise. */
export interface QueryCondition {
  of: 'query'
  name: string
  in?: string[]
  not?: boolean
}

/** Holds if the client’s address is in one of the ranges; with `not`, if it isn’t. */
export interface AddressCondition {
  of: 'address'
  /** Addresses and CIDR ranges. */
  in: string[]
  not?: boolean
}

/** Holds from `from` until just before `to`, both in ISO 8601. */
export interface DateCondition {
  of: 'date'
  from?: string
  to?: string
}

/** Holds on some weekdays from `from` until just before `to`, which is on the next day if it is not later than `from`. */
export interface TimeCondition {
  of: 'time'
  /** IANA’s name of a time zone. */
  zone: string
  /** 1 (Monday) to 7: the days on which the time begins. */
  days?: number[]
  /** `09:30`. */
  from?: string
  to?: string
}

export type Condition = ListCondition | QueryCondition | AddressCondition | DateCondition | TimeCondition

/** Where a visitor goes if all conditions hold. */
export interface Rule {
  when: Condition[]
  url: string
}

/** What rules know about a visitor: the same values as statistics have of the click, '' for unknown. */
export interface VisitorFacts extends Record<Listed, string> {
  /** As it was sent, with its question mark; '' for none. */
  query: string
  /** The client’s address. */
  address: string
}

/** A host and those above it: `shop.example.com`, `example.com`, `com`. */
export function sitesAbove(host: string): string[] {
  const labels = host.split('.')
  return labels.map((_, i) => labels.slice(i).join('.'))
}

/** Parameters of a query that rules read. Only attackers send more. */
export const MOST_PARAMETERS = 200

/** What rules read of one visit. What takes time to work out is worked out once, for all conditions that need it. */
class Visit {
  private above: readonly string[] | undefined
  private sent: Map<string, string[]> | undefined
  private at: Address | null | undefined

  /** @param now ms since 1970 */
  constructor(
    readonly visitor: VisitorFacts,
    readonly now: number,
  ) {}

  /** The referrer’s host and those above it. */
  get sites(): readonly string[] {
    this.above ??= sitesAbove(this.visitor.referrer)
    return this.above
  }

  /** The values of each parameter of the query. */
  get parameters(): ReadonlyMap<string, readonly string[]> {
    if (this.sent === undefined) {
      this.sent = new Map()
      const read = this.visitor.query.slice(1).split('&', MOST_PARAMETERS).join('&')
      for (const [name, value] of new URLSearchParams(Buffer.from(read, 'latin1').toString())) {
        const values = this.sent.get(name)
        if (values) values.push(value)
        else this.sent.set(name, [value])
      }
    }
    return this.sent
  }

  get address(): Address | null {
    if (this.at === undefined) this.at = readAddress(this.visitor.address)
    return this.at
  }
}

type Test = (visit: Visit) => boolean

/**
 * Prepares rules once for all visitors of a link.
 * @returns a function that finds the first rule whose conditions all hold. @param now ms since 1970
 * @throws Error for an invalid range or time zone: rules are checked before they are stored
 */
export function compileRules(rules: readonly Rule[]): (visitor: VisitorFacts, now: number) => Rule | undefined {
  const compiled = rules.map((rule) => ({ rule, tests: rule.when.map(testOf) }))
  return (visitor, now) => {
    const visit = new Visit(visitor, now)
    return compiled.find(({ tests }) => tests.every((test) => test(visit)))?.rule
  }
}

function testOf(condition: Condition): Test {
  switch (condition.of) {
    case 'query':
      return unless(condition.not, queryTest(condition))
    case 'address': {
      const ranges = new Ranges(condition.in)
      return unless(condition.not, ({ address }) => address !== null && ranges.has(address))
    }
    case 'date': {
      const { from, to } = boundsOf(condition)
      return ({ now }) => now >= from && now < to
    }
    case 'time':
      return timeTest(condition)
    case 'referrer': {
      // `example.com` matches shop.example.com too.
      const sites = new Set(condition.in)
      return unless(condition.not, (visit) => visit.sites.some((site) => sites.has(site)))
    }
    default: {
      const { of } = condition
      const values = new Set(condition.in.map(plain))
      return unless(condition.not, ({ visitor }) => values.has(plain(visitor[of])))
    }
  }
}

/** Someone who types `ios` means iOS. */
export const plain = (text: string) => text.toLowerCase()

const unless = (not: boolean | undefined, test: Test): Test => (not ? (visit) => !test(visit) : test)

function queryTest({ name, in: values }: QueryCondition): Test {
  const wanted = values && new Set(values)
  return ({ parameters }) => {
    const sent = parameters.get(name)
    return sent !== undefined && (wanted === undefined || sent.some((value) => wanted.has(value)))
  }
}

/** In ms since 1970. */
export const boundsOf = ({ from, to }: DateCondition) => ({
  from: from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from),
  to: to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to),
})

/** Minutes since midnight. */
const minuteOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

function timeTest(condition: TimeCondition): Test {
  const timeAt = localTime(condition.zone)
  const holds = onTime(condition)
  return ({ now }) => holds(timeAt(now))
}

/** Whether a time holds at a minute of a week in its zone. */
export function onTime({ days, ...times }: TimeCondition): (local: LocalTime) => boolean {
  const [from, to] = [minuteOf(times.from ?? '00:00'), minuteOf(times.to ?? '24:00')]
  const wanted = days && new Set(days)
  const isOn = (weekday: number) => wanted?.has(weekday) ?? true
  return ({ weekday, minute }) => {
    if (from < to) return minute >= from && minute < to && isOn(weekday)
    // Past midnight: late on one day, or early on the next.
    return minute >= from ? isOn(weekday) : minute < to && isOn(weekday === 1 ? 7 : weekday - 1)
  }
}
