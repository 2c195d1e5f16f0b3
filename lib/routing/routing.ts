import { isWeb } from '@/lib/tools/schemes'
import { destinationName } from './destination-name'
import { type PathMode, withPath } from './path'
import { type QueryMode, withClickId, withQuery } from './query'
import { compileRules, type Rule, type VisitorFacts } from './rules'
import { type Split, splitUrl } from './split'

/** Where a link leads, if that depends on the visitor. `Link.routing` holds it as JSON. */
export interface RoutingFields {
  /** The first rule that matches decides. */
  rules?: Rule[]
  /** For visitors that no rule matches. If left out, they go to the link’s own destination. */
  split?: Split
  /** How the visitor’s query is passed on. If left out, it isn’t. */
  query?: QueryMode
  /** What happens to the path behind the code. If left out, the link has no such paths. */
  path?: PathMode
  /** The parameter that gives the destination the ID of the click (lib/conversions). If left out, none does. */
  clickId?: { parameter: string }
}

/** Who follows a link. */
export interface Visitor extends VisitorFacts {
  /** The hash that identifies visitors for a day. */
  visitor: string
  /** Makes the ID of the click, given the name of its destination. If left out, the click isn’t counted and has none. */
  clickIdOf?: ((destination: string) => string) | undefined
}

/** Where a visitor goes. */
export interface Choice {
  /** With whatever is passed on of the visitor’s path and query, and the ID of the click if the link adds it. */
  url: string
  /** The destination’s name in statistics; '' for a link without rules and split. */
  destination: string
}

/** The routing of a link. Its rules are compiled for the first visitor. */
export class Routing {
  private rule: ReturnType<typeof compileRules> | undefined
  private readonly names = new Map<string, string>()

  private constructor(
    readonly fields: RoutingFields,
    /** As it is stored. */
    readonly text: string,
  ) {}

  /** @param text as stored; null for none. @throws SyntaxError if it isn’t JSON */
  static of(text: string | null): Routing | null {
    return text === null ? null : new Routing(JSON.parse(text) as RoutingFields, text)
  }

  /** Whether a rule asks where visitors are. */
  get asksPlace(): boolean {
    return this.fields.rules?.some(({ when }) => when.some(({ of }) => of === 'country' || of === 'city')) ?? false
  }

  /** Whether destinations are told which click brought a visitor. */
  get asksClickId(): boolean {
    return this.fields.clickId !== undefined
  }

  /** Whether the link also answers all paths below its code. */
  get takesPaths(): boolean {
    return this.fields.path !== undefined
  }

  /**
   * Where a visitor goes.
   * @param now ms since 1970
   * @param extra the path behind the code, with its slash; '' for none
   */
  choose(link: { id: string; url: string }, visitor: Visitor, now: number, extra: string): Choice {
    const { split, query, path, rules, clickId } = this.fields
    this.rule ??= compileRules(rules ?? [])
    const chosen = this.rule(visitor, now)?.url ?? (split && splitUrl(split, link.id, visitor.visitor)) ?? link.url
    const destination = rules || split ? this.nameOf(chosen) : ''
    // An app has no use for a visitor's path and query: they would be part of a number or an address.
    if (!isWeb(chosen)) return { url: chosen, destination }
    const url = path === 'append' ? withPath(chosen, extra) : chosen
    const passed = query ? withQuery(url, visitor.query, query) : url
    return {
      url: clickId && visitor.clickIdOf ? withClickId(passed, clickId.parameter, visitor.clickIdOf(destination)) : passed,
      destination,
    }
  }

  /** Remembered, since the name of a long address takes a hash. */
  private nameOf(url: string): string {
    let name = this.names.get(url)
    if (name === undefined) {
      name = destinationName(url)
      this.names.set(url, name)
    }
    return name
  }
}
