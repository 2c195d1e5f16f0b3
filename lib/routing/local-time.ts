import { memo } from '@/lib/tools/memo'
import { DAY, MINUTE } from '@/lib/tools/time'

export interface LocalTime {
  /** 1 (Monday) to 7. */
  weekday: number
  /** Since midnight. */
  minute: number
}

/**
 * The time of the day in a time zone.
 * @param name as IANA lists it, in any letter case. @returns a function of ms since 1970
 * @throws RangeError for an unknown zone
 */
export function localTime(name: string): (now: number) => LocalTime {
  return zoneOf(name.toLowerCase()).timeAt
}

/** Whether there is a time zone of that name. */
export function isZone(name: string): boolean {
  if (!/^[\w+\-/]{1,50}$/.test(name)) return false
  try {
    localTime(name)
    return true
  } catch {
    return false
  }
}

/** Every clock change so far was on a quarter of an hour of UTC. */
const QUARTER = 15 * MINUTE
/** Offsets remembered for each zone. */
const REMEMBERED = 1_000

/** How far a zone is ahead of UTC. `Intl` is slow: it is asked once a day, on days of a clock change each quarter of an hour. */
class Zone {
  private readonly format: Intl.DateTimeFormat
  /** In ms, by the start of a day (`d…`) or of a quarter of an hour (`q…`); null if it changes during that day. */
  private readonly offsets = new Map<string, number | null>()

  constructor(name: string) {
    this.format = new Intl.DateTimeFormat('en-US', {
      ...{ timeZone: name, calendar: 'gregory', numberingSystem: 'latn', hourCycle: 'h23' },
      ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' },
    })
  }

  readonly timeAt = (now: number): LocalTime => {
    const local = now + this.offset(now)
    // The first day of 1970 was a Thursday.
    return { weekday: modulo(Math.floor(local / DAY) + 3, 7) + 1, minute: Math.floor(modulo(local, DAY) / MINUTE) }
  }

  private offset(now: number): number {
    const day = Math.floor(now / DAY) * DAY
    const ofDay = this.remembered(`d${day}`, () => {
      const [begin, end] = [this.ask(day), this.ask(day + DAY)]
      return begin === end ? begin : null
    })
    if (ofDay !== null) return ofDay
    const quarter = Math.floor(now / QUARTER) * QUARTER
    return this.remembered(`q${quarter}`, () => this.ask(quarter)) ?? 0
  }

  private remembered(key: string, ask: () => number | null): number | null {
    let known = this.offsets.get(key)
    if (known === undefined) {
      if (this.offsets.size >= REMEMBERED) this.offsets.clear()
      known = ask()
      this.offsets.set(key, known)
    }
    return known
  }

  /** @param at a whole minute */
  private ask(at: number): number {
    const of = Object.fromEntries(this.format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    return Date.UTC(of.year ?? 0, (of.month ?? 1) - 1, of.day, of.hour, of.minute) - at
  }
}

/** IANA lists about 600 names. Preparing one takes longer than a redirect. */
const zoneOf = memo((name) => new Zone(name), { entries: 1_000, characters: 50_000 })

const modulo = (a: number, b: number) => ((a % b) + b) % b
