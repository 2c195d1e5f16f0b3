import type { LinkAddress } from '../address.js'
import type { Link, Terse } from '../client.js'
import { FileError } from '../exit.js'
import { inOrder } from '../pool.js'
import { TerseError } from '../problem.js'
import { type Differences, differencesOf, type Wanted, wantedOf } from './compare.js'
import { domainOf, hostOf, isTwice, type LinkFile } from './file.js'

/** What is to happen to one link, so that it is as the file has it. */
export type Step = { address: LinkAddress } & (
  | { action: 'create'; wanted: Wanted }
  /** Someone deleted it. */
  | { action: 'restore'; wanted: Wanted }
  /** `adopts`: it is there, made without the file, and becomes one of its links. */
  | { action: 'change'; wanted: Wanted; differences: Differences; adopts: boolean }
  /** It has the tag of the file, and the file does not have it. */
  | { action: 'delete'; url: string }
  | { action: 'unchanged' }
)

export type Action = Step['action']

const AT_ONCE = 8

/**
 * Compares a file with the server. No state is kept anywhere: the links of the file are known by their domain and code, and those
 * that are the file's and no longer in it by its tag.
 * @throws TerseError; FileError for an entry on the default domain of the server and another that names this domain
 */
export async function planOf(client: Terse, file: LinkFile): Promise<Step[]> {
  const addresses = await addressesOf(client, file)
  const managed = new Map<string, Link>()
  for await (const link of client.links.list({ tag: file.managedBy, archived: 'any', kind: 'short', limit: 100 })) {
    managed.set(link.id, link)
  }
  const byName = new Map([...managed.values()].map((link) => [nameOf(link), link]))

  const steps: Step[] = []
  const kept = new Set<string>()
  const look = async ({ entry, address }: (typeof addresses)[number]) => {
    return { entry, address, found: byName.get(nameOf(address)) ?? (await find(client, address)) }
  }
  for await (const { entry, address, found } of inOrder(addresses, AT_ONCE, look)) {
    const wanted = wantedOf(file, entry)
    if (found === 'deleted') steps.push({ action: 'restore', address, wanted })
    else if (found === 'none') steps.push({ action: 'create', address, wanted })
    else {
      kept.add(found.id)
      const differences = differencesOf(found, wanted)
      const isSame = Object.keys(differences).length === 0
      const adopts = !managed.has(found.id)
      steps.push(isSame ? { action: 'unchanged', address } : { action: 'change', address, wanted, differences, adopts })
    }
  }
  for (const link of managed.values()) {
    if (!kept.has(link.id)) steps.push({ action: 'delete', address: { code: link.code, domain: link.domain }, url: link.url })
  }
  return steps
}

async function addressesOf(client: Terse, file: LinkFile) {
  const isWhole = file.links.every((entry) => domainOf(file, entry) !== undefined)
  const usual = isWhole ? '' : await defaultDomain(client)
  const seen = new Set<string>()
  return file.links.map((entry) => {
    const address = { code: entry.code, domain: domainOf(file, entry) ?? usual }
    const name = nameOf(address)
    if (seen.has(name)) throw new FileError(isTwice(name))
    seen.add(name)
    return { entry, address }
  })
}

/** The address of an account's page is on the default domain. */
async function defaultDomain(client: Terse): Promise<string> {
  return hostOf(new URL((await client.account()).profileUrl).host)
}

const nameOf = ({ domain = '', code }: LinkAddress) => `${domain}/${code}`

/** The link of the account at this address, which may be spelled another way there. */
async function find(client: Terse, address: LinkAddress): Promise<Link | 'deleted' | 'none'> {
  try {
    return await client.links.get(address)
  } catch (error) {
    if (error instanceof TerseError && error.status === 404) return 'none'
    if (error instanceof TerseError && error.status === 410) return 'deleted'
    throw error
  }
}
