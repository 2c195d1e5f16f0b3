import { Ranges, readAddress } from './ranges'

/** What reaches the machine it is asked on. Nobody listens at 0.0.0.0 or `::`, but connecting there works. */
const OWN = new Ranges(['127.0.0.0/8', '0.0.0.0', '::1', '::'])

/** Whether a host is the machine that asks for it, as `localhost` is. @param hostname of a URL */
export function isThisMachine(hostname: string): boolean {
  if (/(^|\.)localhost\.?$/i.test(hostname)) return true
  const address = readAddress(hostname.replace(/^\[|\]$/g, ''))
  return address !== null && OWN.has(address)
}
