import type { LeftOut, Lost, StaticLink } from './static-link'

/** Writes the links of a set as one format has them. A writer holds a bounded part of them at most. */
export interface SetWriter {
  /** Before the links. @param notes what the file has to say, in lines */
  head(notes: readonly string[]): string
  /** A link; '' where its lines come later. Why it is not in the set, where it cannot be. */
  add(link: StaticLink): string | { leftOut: LeftOut }
  /** After the links. @param hosts of the links. @param notes what came of them, in lines */
  end(hosts: readonly string[], notes: readonly string[]): string
}

/** One format of sets. */
export interface SetFormat {
  /** What its file is called. */
  file: string
  /** MIME type. */
  type: string
  /** Whether it can tell when links start and expire. */
  knowsTime: boolean
  /** Whether a file is for one domain, since its lines name none. */
  isOfOneHost: boolean
  /** What it cannot carry besides what no format carries, in sentences. */
  limits: readonly string[]
  /** What every link loses in it. */
  loses?: (link: StaticLink) => Lost[]
  writer: (facts: SetFacts) => SetWriter
}

export interface SetFacts {
  /** ms since 1970. */
  now: number
  /** The host that answers for unknown ones. */
  baseHost: string
  /** Hosts whose codes ignore case. */
  foldedHosts: readonly string[]
}

/** Lines as comments that begin with `#`. */
export const hashComment = (lines: readonly string[]): string => lines.map((line) => `${`# ${line}`.trimEnd()}\n`).join('')
