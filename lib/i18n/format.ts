/** Numbers, times and names as a locale writes them. Times are in the zone of the process: in a browser, the reader's. */
export class Format {
  private readonly made = new Map<string, unknown>()

  /** @param locale as `Intl` takes it: `de-AT` */
  constructor(readonly locale: string) {}

  number(value: number): string {
    return this.numbers().format(value)
  }

  /** From 10,000 on rounded to what can be taken in at a glance: show the full number with it. */
  compact(value: number): string {
    return value < 10_000 ? this.number(value) : this.numbers({ notation: 'compact', maximumFractionDigits: 1 }).format(value)
  }

  /** A part of a whole in per cent; a share so small that it would read as none has a digit more. */
  share(part: number, whole: number): string {
    const plain = this.numbers({ style: 'percent', maximumFractionDigits: 0 })
    const fine = this.numbers({ style: 'percent', maximumFractionDigits: 1 })
    if (whole <= 0) return plain.format(0)
    const ratio = part / whole
    if (ratio > 0 && ratio < 0.001) return `<${fine.format(0.001)}`
    return ratio < 0.01 && ratio > 0 ? fine.format(ratio) : plain.format(ratio)
  }

  /** How many there are of one thing for each of another, to two digits. */
  ratio(amount: number, each: number): string {
    return this.numbers({ minimumFractionDigits: 2, maximumFractionDigits: 2 }).format(amount / each)
  }

  /** Bytes, in the largest unit that leaves a whole one. */
  bytes(bytes: number): string {
    const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const
    const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log(bytes) / Math.log(1024)))
    return this.inUnit(bytes / 1024 ** step, units[step] ?? 'byte')
  }

  /** Milliseconds; those below ten with a digit more. */
  ms(ms: number): string {
    return this.inUnit(ms, 'millisecond')
  }

  /** A length of time given in seconds, in its two largest units: “3 days 4 hr”, or “3 days, 4 hours”. */
  span(seconds: number, style: 'short' | 'long' = 'short'): string {
    const parts = SPANS.map(({ unit, length, of }) => ({ unit, count: Math.floor(seconds / length) % of }))
    const first = parts.findIndex(({ count }) => count > 0)
    if (first === -1) return this.inUnit(0, 'second', style)
    const shown = parts.slice(first, first + 2).filter(({ count }) => count > 0)
    return this.lists('unit', style === 'long' ? 'long' : 'narrow').format(
      shown.map(({ unit, count }) => this.inUnit(count, unit, style)),
    )
  }

  /** “a, b and c”. */
  list(items: readonly string[]): string {
    return this.lists('conjunction', 'long').format(items)
  }

  /** “21 Nov 2026, 14:03”. @param iso as the API writes times @param timeZone that of this process, unless given */
  time(iso: string, timeZone?: string): string {
    return this.dates({ dateStyle: 'medium', timeStyle: 'short', ...(timeZone && { timeZone }) }).format(new Date(iso))
  }

  /** The time of day, to the second. */
  clock(iso: string): string {
    return this.dates({ timeStyle: 'medium' }).format(new Date(iso))
  }

  day(iso: string): string {
    return this.dates({ dateStyle: 'medium' }).format(new Date(iso))
  }

  /** A day without a zone, `2026-11-21`: the same for every reader. */
  date(day: string): string {
    return this.dates({ dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day))
  }

  /** The name of a country by its code of ISO 3166-1, or the code where there is none. */
  country(code: string): string {
    return this.name('region', code)
  }

  /** The name of a language by its BCP 47 tag, or what was given where that is none. */
  language(tag: string): string {
    return this.name('language', tag)
  }

  dates(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
    return this.once(options, () => new Intl.DateTimeFormat(this.locale, options))
  }

  private numbers(options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
    return this.once(options, () => new Intl.NumberFormat(this.locale, options))
  }

  private lists(type: 'conjunction' | 'unit', style: 'narrow' | 'long'): Intl.ListFormat {
    return this.once([type, style], () => new Intl.ListFormat(this.locale, { type, style }))
  }

  private name(type: 'region' | 'language', code: string): string {
    try {
      return this.once(['name', type], () => new Intl.DisplayNames(this.locale, { type })).of(code) ?? code
    } catch {
      // What a client sent need not be a code at all.
      return code
    }
  }

  private inUnit(value: number, unit: string, unitDisplay: 'short' | 'long' = 'short'): string {
    const maximumFractionDigits = value < 10 && !Number.isInteger(value) ? 1 : 0
    return this.numbers({ style: 'unit', unit, unitDisplay, maximumFractionDigits }).format(value)
  }

  /** `Intl` takes longer to make one than to write with it. */
  private once<T>(of: unknown, make: () => T): T {
    const key = JSON.stringify(of)
    let found = this.made.get(key) as T | undefined
    if (!found) {
      found = make()
      this.made.set(key, found)
    }
    return found
  }
}

const SPANS = [
  { unit: 'day', length: 86_400, of: Number.POSITIVE_INFINITY },
  { unit: 'hour', length: 3_600, of: 24 },
  { unit: 'minute', length: 60, of: 60 },
  { unit: 'second', length: 1, of: 60 },
] as const
