/** Who takes a place: an account wherever it is, or, without one, whatever is behind an address. */
export interface Holder {
  account: string | null
  /** The address, or the /64 of one. */
  client: string
}

interface Place {
  holder: string
  client: string
  thing: unknown
  /** Called when a newer one takes the place. */
  lose: () => void
}

/** Places of one holder; more tabs than that nobody looks at. */
const EACH = 20
/** Places behind one address, whatever the number of accounts, and for one thing to look at. */
const TOGETHER = 250

/**
 * A bounded number of places, so given out that nobody can take all: the newest of one holder takes its oldest, and
 * where there is no room for one who has few, who has most makes it.
 */
export class Places {
  /** Oldest first. */
  private readonly taken = new Set<Place>()

  constructor(private readonly most: number) {}

  get size(): number {
    return this.taken.size
  }

  /**
   * Takes a place.
   * @param thing what is looked at
   * @param lose called when it is lost to a newer one; not when it is given back
   * @returns gives it back; null when there is none
   */
  occupy({ account, client }: Holder, thing: unknown, lose: () => void): (() => void) | null {
    const holder = account === null ? `address ${client}` : `account ${account}`
    const place: Place = { holder, client, thing, lose }
    const bounds: [of: (other: Place) => boolean, most: number][] = [
      [(other) => other.holder === holder, EACH],
      [(other) => other.client === client, TOGETHER],
      [(other) => other.thing === thing, TOGETHER],
      [() => true, this.most],
    ]
    for (const [isOf, most] of bounds) if (!this.makeRoom([...this.taken].filter(isOf), most, holder)) return null
    this.taken.add(place)
    return () => void this.taken.delete(place)
  }

  /** Makes room for one more among some places, of which there may be so many. @returns false if nobody has to make it */
  private makeRoom(places: Place[], most: number, holder: string): boolean {
    if (places.length < most) return true
    const counts = new Map<string, number>()
    for (const place of places) counts.set(place.holder, (counts.get(place.holder) ?? 0) + 1)
    const own = counts.get(holder) ?? 0
    const [greediest, count] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), [holder, 0])
    // Only from one who has more than the newcomer even then; else it gets a new place for an old one of its own.
    const loser = count >= own + 2 ? greediest : holder
    const place = places.find((other) => other.holder === loser)
    if (!place) return false
    this.taken.delete(place)
    place.lose()
    return true
  }
}
