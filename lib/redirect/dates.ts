/** Day before month, and the month in letters: reads the same wherever English is read. */
const DEFAULT = 'en-GB'

const DAY: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }
const MOMENT: Intl.DateTimeFormatOptions = { ...DAY, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' }

export interface WrittenDate {
  text: string
  /** The language that it is in. */
  language: string
}

/** Dates as visitors write them, in UTC: nobody tells the server their zone. */
export class Dates {
  /** By language and length. To make one takes a hundred times as long as the page; there are a few hundred at most. */
  private readonly formatters = new Map<string, Intl.DateTimeFormat>()

  /**
   * @param at ms since 1970
   * @param accepted the Accept-Language header
   * @param moment with the time of day
   */
  write(at: number, accepted: string, moment: boolean): WrittenDate {
    const language = languageOf(accepted)
    return { text: this.formatter(language, moment).format(at), language }
  }

  private formatter(language: string, moment: boolean): Intl.DateTimeFormat {
    const key = `${language} ${moment}`
    const kept = this.formatters.get(key)
    if (kept) return kept
    const made = new Intl.DateTimeFormat(language, moment ? MOMENT : DAY)
    this.formatters.set(key, made)
    return made
  }
}

/** The first language of the header, without its region: of regions there is no end, and only American English has an order of its own. */
function languageOf(accepted: string): string {
  const [, first = ''] = /^\s*([a-z]{2,3})(?=[-,;\s]|$)/i.exec(accepted) ?? []
  const language = first.toLowerCase()
  if (language === 'en') return /^\s*en-us\b/i.test(accepted) ? 'en-US' : DEFAULT
  return (language && Intl.DateTimeFormat.supportedLocalesOf(language)[0]) || DEFAULT
}
