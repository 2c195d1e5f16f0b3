import { publicAddress } from '@/lib/net/address'
import { memory } from '@/lib/tools/memo'
import { bundledDatabase, Database, type Warn } from './database'
import { cut, tidy, WIDTH } from './text'

/** Country: ISO 3166-1 alpha-2. City: its name and its country, as there is more than one Springfield. */
export interface Place {
  country: string
  city: string
}

const NOWHERE: Place = { country: '', city: '' }

/** Where networks are, by DB-IP's city databases or by one of the operator's. */
export class Geo {
  private readonly places = memory<Place>({ entries: 20_000, characters: 1_000_000 })
  private readonly databases: Record<4 | 6, Database>

  /** @param path of a file in MaxMind's format that knows both address families; undefined: DB-IP's two. */
  constructor(path: string | undefined, warn: Warn) {
    const own = path ? new Database(path, warn) : null
    this.databases = {
      4: own ?? new Database(bundledDatabase(4), warn),
      6: own ?? new Database(bundledDatabase(6), warn),
    }
  }

  /** Reads the databases that `networks` need. Never rejects. */
  async ready(networks: Iterable<string>): Promise<void> {
    const missing = new Set([this.databases[4], this.databases[6]].filter((database) => !database.settled))
    if (missing.size === 0) return
    const needed = new Set<Database>()
    for (const network of networks) {
      if (needed.size === missing.size) break
      if (network === '' || this.places.has(network)) continue
      const database = this.databaseOf(publicAddress(network))
      if (database && missing.has(database)) needed.add(database)
    }
    await Promise.all([...needed].map((database) => database.load()))
  }

  /** Whether what `find` says of a network stays so. */
  isReady(network: string): boolean {
    const address = publicAddress(network)
    return address === null || this.databaseOf(address)?.settled !== false
  }

  /** The place of a network; nowhere as long as its database is not ready. */
  find(network: string): Place {
    if (network === '') return NOWHERE
    const known = this.places.get(network)
    if (known) return known
    const address = publicAddress(network)
    const database = this.databaseOf(address)
    const place = address && database ? placeOf(database.find(address.text)) : NOWHERE
    if (!database || database.settled) this.places.set(network, place)
    return place
  }

  private databaseOf(address: ReturnType<typeof publicAddress>): Database | null {
    return address && this.databases[address.family]
  }
}

/** Of a record as MaxMind makes it (`country.iso_code`, `city.names.en`) or of a flat one (`country_code`, `city`). */
function placeOf(record: unknown): Place {
  const country = text(field(record, 'country_code')) || text(field(field(record, 'country'), 'iso_code'))
  if (!/^[A-Z]{2}$/.test(country) || country === 'ZZ') return NOWHERE
  const city = field(record, 'city')
  const name = withoutDistrict(tidy(text(city) || text(field(field(city, 'names'), 'en'))))
  const suffix = `, ${country}`
  return { country, city: name && cut(name, WIDTH.city - suffix.length) + suffix }
}

/** DB-IP has `Berlin (Bezirk Mitte)` beside `Berlin`: one city. */
const withoutDistrict = (name: string) => name.replace(/\s*\(.*\)$/, '')

const text = (value: unknown) => (typeof value === 'string' ? value : '')

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
