import type { ImportRow } from './import-source'

/** Names of owners that are shown, and asked for. */
const MOST_NAMED = 200

/** The name of an owner in the old system, and how many links of an import are theirs. */
export interface NamedOwner {
  name: string
  links: number
}

/** Whose links the rows of an import are, as far as they say so. */
export class NamedOwners {
  private readonly links = new Map<string, number>()

  add({ owner }: ImportRow): void {
    if (owner && (this.links.has(owner) || this.links.size < MOST_NAMED)) {
      this.links.set(owner, (this.links.get(owner) ?? 0) + 1)
    }
  }

  /**
   * @param called what some are called, by how rows have them
   * @param owners who some are here, by what they are called: these are known by it, however many owners there are
   */
  told(
    called: ReadonlyMap<string, string>,
    owners: Readonly<Record<string, string>>,
  ): { named: NamedOwner[]; called: Record<string, string> } {
    const named = [...this.links].map(([name, links]) => ({ name: called.get(name) || name, links }))
    const known = [...called].filter(([name, one]) => one !== '' && (this.links.has(name) || Object.hasOwn(owners, one)))
    return { named, called: Object.fromEntries(known) }
  }
}
