import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { isNode, LineCounter, parseDocument } from 'yaml'
import type { CreateLink } from '../client.js'
import { FileError } from '../exit.js'
import schema from '../generated/links.schema.json' with { type: 'json' }
import { nameOf, readText } from '../input.js'
import { plain } from '../terminal.js'

/** A link as a file describes it: as the API creates it, with a code. */
export type LinkEntry = Omit<CreateLink, 'reuse' | 'password' | 'code'> & { code: string }

/** A file of links: all that bear its tag, and no others. */
export interface LinkFile {
  /** The tag that marks the links of this file. */
  managedBy: string
  /** The domain of links that name none; without it, the default domain of the server. */
  domain?: string
  /** What links have that they don't say themselves. */
  defaults?: Partial<LinkEntry>
  links: LinkEntry[]
}

/**
 * Reads a file of links, in YAML or JSON, and holds it to the schema of the server's API.
 * @throws FileError with every mistake and its line; UsageError where there is no such file
 */
export function readLinkFile(name: string): LinkFile {
  return parseLinkFile(readText(name), nameOf(name))
}

/** @param name as mistakes name the file @throws FileError */
export function parseLinkFile(text: string, name: string): LinkFile {
  const counter = new LineCounter()
  // Dates are text: the API reads them.
  const document = parseDocument(text, { lineCounter: counter, schema: 'core' })
  const at = (offset: number | undefined) => {
    const { line, col } = counter.linePos(offset ?? 0)
    return `${name}:${line}:${col}`
  }
  if (document.errors.length > 0) {
    throw new FileError(document.errors.map(({ pos, message }) => `${at(pos[0])}: ${message.split('\n')[0]}`).join('\n'))
  }
  const value: unknown = document.toJS({ maxAliasCount: 1000 })
  const offsetOf = (path: readonly string[]): number | undefined => {
    for (let end = path.length; end >= 0; end--) {
      const node = end === 0 ? document.contents : document.getIn(path.slice(0, end).map(keyOf), true)
      if (isNode(node) && node.range) return node.range[0]
    }
    return undefined
  }
  const faults = [...schemaFaults(value), ...(isLinkFile(value) ? twins(value) : [])]
  if (faults.length > 0) {
    const lines = faults.map(({ path, message }) => ({ offset: offsetOf(path) ?? 0, message }))
    throw new FileError(
      lines
        .sort((a, b) => a.offset - b.offset)
        .map(({ offset, message }) => `${at(offset)}: ${message}`)
        .join('\n'),
    )
  }
  return value as LinkFile
}

interface Fault {
  path: string[]
  message: string
}

const keyOf = (key: string) => (/^\d+$/.test(key) ? Number(key) : key)

/** @returns what is wrong by the schema, said once for each place */
function schemaFaults(value: unknown): Fault[] {
  const ajv = addFormats.default(new Ajv2020({ allErrors: true, strict: false }))
  const validate = ajv.compile(schema)
  if (validate(value)) return []
  const faults = meant(validate.errors ?? []).map(faultOf)
  return [...new Map(faults.map((fault) => [`${fault.path.join('/')} ${fault.message}`, fault])).values()]
}

const isUnion = ({ keyword }: ErrorObject) => keyword === 'anyOf' || keyword === 'oneOf'

/**
 * Of a value that can be one of several things, what is wrong with the one that it comes closest to: the validator tells what is
 * wrong with it as each of them.
 */
function meant(errors: readonly ErrorObject[]): ErrorObject[] {
  let left = [...errors]
  // The innermost come first.
  for (const union of errors.filter(isUnion)) {
    const inside = left.filter(({ schemaPath }) => schemaPath.startsWith(`${union.schemaPath}/`))
    if (inside.length === 0) continue
    const branches = groupBy(inside, ({ schemaPath }) => schemaPath.slice(union.schemaPath.length + 1).split('/')[0] ?? '')
    const [closest = []] = [...branches.values()].sort((one, other) => distance(one) - distance(other))
    const isValue = inside.every(({ keyword, instancePath }) => keyword === 'const' && instancePath === union.instancePath)
    const allowedValues = inside.map(({ params }) => params.allowedValue)
    const kept = isValue ? [{ ...union, keyword: 'enum', params: { allowedValues } }] : closest
    left = [...left.filter((error) => error !== union && !inside.includes(error)), ...kept]
  }
  return left
}

/** Node has this from version 21 on. */
function groupBy<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(nameOf(item), [...(groups.get(nameOf(item)) ?? []), item])
  return groups
}

/** A branch whose own mark is not there is far off, however little else is wrong. */
const distance = (errors: readonly ErrorObject[]) =>
  errors.length + 1000 * errors.filter(({ keyword }) => keyword === 'const' || keyword === 'type').length

function faultOf({ instancePath, keyword, params, message = 'is wrong' }: ErrorObject): Fault {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const name = path.at(-1) && plain(path.at(-1) ?? '')
  const what = name === undefined || /^\d+$/.test(name) ? '' : `“${name}” `
  if (keyword === 'additionalProperties') {
    const extra = String(params.additionalProperty)
    return { path: [...path, extra], message: `There’s no property “${plain(extra)}” here.` }
  }
  if (keyword === 'required') return { path, message: `“${params.missingProperty}” is missing.` }
  if (keyword === 'enum') return { path, message: `${what}has to be one of ${params.allowedValues.join(', ')}.` }
  return { path, message: `${what}${message}.` }
}

function isLinkFile(value: unknown): value is LinkFile {
  return typeof value === 'object' && value !== null && Array.isArray((value as LinkFile).links)
}

/** The domain of an entry of a file as the API shows domains; undefined for the default one of the server. */
export function domainOf(file: LinkFile, entry: LinkEntry): string | undefined {
  const domain: unknown = entry.domain ?? file.defaults?.domain ?? file.domain
  return typeof domain === 'string' ? hostOf(domain) : undefined
}

/** In small letters, without a port. */
export const hostOf = (host: string) => host.toLowerCase().replace(/:\d+$/, '')

export const isTwice = (name: string) => `“${plain(name)}” is in this file twice.`

/** Links that the file describes twice, as far as it tells without the server. */
function twins(file: LinkFile): Fault[] {
  const seen = new Set<string>()
  return file.links.flatMap((link, i) => {
    if (typeof link !== 'object' || link === null) return []
    const key = `${domainOf(file, link) ?? ''}/${link.code}`
    if (!seen.has(key)) {
      seen.add(key)
      return []
    }
    return [{ path: ['links', String(i), 'code'], message: isTwice(link.code) }]
  })
}
