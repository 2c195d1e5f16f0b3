import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'

/** How often a DNS server is asked, and how long it may take at first, in ms. */
const TRIES = { tries: 2, timeout: 1_000 }

/**
 * The addresses of a name that a stranger chose, from the DNS. Not by `dns.lookup`: that waits in one of two threads until the
 * system's resolver gives up, 10 s and more for a name whose servers are silent, and no abort frees it; meanwhile this process
 * would not find its own servers by name. The price: what only /etc/hosts knows is not found.
 * @returns those of IPv4 first, which work on most machines
 * @throws Error with the code of the DNS, such as ENOTFOUND
 */
export async function addressesOf(name: string, signal: AbortSignal, nameServers?: string[]): Promise<LookupAddress[]> {
  const resolver = new Resolver(TRIES)
  if (nameServers) resolver.setServers(nameServers)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    if (four.status === 'rejected' && six.status === 'rejected') throw four.reason
    return [...listed(four, 4), ...listed(six, 6)]
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

const listed = (found: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] =>
  found.status === 'fulfilled' ? found.value.map((address) => ({ address, family })) : []
