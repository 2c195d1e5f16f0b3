import { cutAddress, joinAddress, nameIn, valueIn } from '@/lib/tools/query-pieces'
import { UTM_NAMES, type Utm, type UtmName } from './values'

/**
 * Reads and writes the UTM parameters of an address that is being typed. Everything else keeps every byte: `%2B`, `+`, empty
 * values, repeated keys, the fragment.
 */

/** The UTM parameters of an address, the first of each. */
export function utmOf(address: string): Utm {
  const { parameters } = cutAddress(address)
  const of = (name: UtmName) => {
    const found = parameters.find((parameter) => nameIn(parameter) === `utm_${name}`)
    return [name, found === undefined ? '' : valueIn(found)]
  }
  return Object.fromEntries(UTM_NAMES.map(of)) as Utm
}

/** The address with these values, where '' removes a parameter. A value that it has already stays as it is written. */
export function withUtm(address: string, values: Partial<Utm>): string {
  const pieces = cutAddress(address)
  const before = utmOf(address)
  let { parameters } = pieces
  let isChanged = false
  for (const name of UTM_NAMES) {
    const value = values[name]
    if (value === undefined || value === before[name]) continue
    isChanged = true
    const key = `utm_${name}`
    const place = parameters.findIndex((parameter) => nameIn(parameter) === key)
    const written = value === '' ? [] : [`${key}=${encodeURIComponent(value)}`]
    const others = (some: readonly string[]) => some.filter((parameter) => nameIn(parameter) !== key)
    parameters =
      place === -1
        ? [...parameters, ...written]
        : [...parameters.slice(0, place), ...written, ...others(parameters.slice(place + 1))]
  }
  return isChanged ? joinAddress({ ...pieces, parameters }) : address
}
