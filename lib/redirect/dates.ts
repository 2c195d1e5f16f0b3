const DAY: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }
const MOMENT: Intl.DateTimeFormatOptions = { ...DAY, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' }

/** Formatters that are kept: of the tags that clients can make up there is no end. */
const MOST = 200

/** Dates on pages of links, in UTC: nobody tells the server their zone. */
export class Dates {
  /** By locale and length. To make one takes a hundred times as long as the page. */
  private readonly formatters = new Map<string, Intl.DateTimeFormat>()

  /**
   * @param at ms since 1970
   * @param locale as `Intl` takes it
   * @param moment with the time of day
   */
  write(at: number, locale: string, moment: boolean): string {
    const key = `${locale} ${moment}`
    const formatter = this.formatters.get(key) ?? new Intl.DateTimeFormat(locale, moment ? MOMENT : DAY)
    if (this.formatters.size >= MOST) this.formatters.clear()
    this.formatters.set(key, formatter)
    return formatter.format(at)
  }
}
