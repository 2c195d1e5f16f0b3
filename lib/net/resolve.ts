import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'

/** How often a DNS server is asked, and how long it may take at first, in ms. */
const TRIES = { tries: 2, timeout: 1_000 }

/** Where addresses are looked for. */
export interface AddressSources {
  /** For tests: DNS servers to ask in place of the system's. */
  nameServers?: string[]
  /**
   * A file as /etc/hosts, for names that an admin chose. Only what the DNS does not know is looked up there: many machines give
   * their own name a private address in it.
   */
  hostsFile?: string
}

/** Of this machine, where it is no Windows. */
export const HOSTS_FILE = '/etc/hosts'

/**
 * The addresses of a name that a stranger chose, from the DNS. Not by `dns.lookup`: that waits in one of two threads until the
 * system's resolver gives up, 10 s and more for a name whose servers are silent, and no abort frees it; meanwhile this process
 * would not find its own servers by name. What only /etc/hosts knows is found where the caller says so.
 * @returns those of IPv4 first, which work on most machines
 * @throws Error with the code of the DNS, such as ENOTFOUND
 */
export async function addressesOf(
  name: string,
  signal: AbortSignal,
  { nameServers, hostsFile }: AddressSources = {},
): Promise<LookupAddress[]> {
  const resolver = new Resolver(TRIES)
  if (nameServers) resolver.setServers(nameServers)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    if (four.status === 'rejected' && six.status === 'rejected') {
      const known = hostsFile === undefined || signal.aborted ? [] : await addressesIn(hostsFile, name)
      if (known.length === 0) throw four.reason
      return known
    }
    return [...listed(four, 4), ...listed(six, 6)]
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

const listed = (found: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] =>
  found.status === 'fulfilled' ? found.value.map((address) => ({ address, family })) : []

/** What a hosts file says of a name: a line has an address, then names; `#` begins a comment. */
async function addressesIn(hostsFile: string, name: string): Promise<LookupAddress[]> {
  const text = await readFile(hostsFile, 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/)
    return isIP(address) !== 0 && names.includes(name.toLowerCase()) ? [{ address, family: isIP(address) }] : []
  })
}
