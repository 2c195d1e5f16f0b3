import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import {
  isPluralElement,
  isSelectElement,
  isTagElement,
  type MessageFormatElement,
  parse,
} from '@formatjs/icu-messageformat-parser'
import { describe, expect, it } from 'vitest'
import { CATALOGUE } from './catalogue'
import { DEFAULT_LANGUAGE, type Language } from './languages'

/** Of a tree of messages: each by its whole key. */
function leaves(tree: object, prefix = ''): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value] as [string, string]] : leaves(value, `${prefix}${key}.`),
  )
}

const MESSAGES = new Map(leaves(CATALOGUE[DEFAULT_LANGUAGE]))
const OTHERS = (Object.keys(CATALOGUE) as Language[]).filter((language) => language !== DEFAULT_LANGUAGE)

/** The arguments and tags that a message takes. */
function argumentsOf(elements: MessageFormatElement[]): string[] {
  return elements.flatMap((element) => {
    if (!('value' in element) || element.type === 0) return []
    const own = isTagElement(element) ? `<${element.value}>` : element.value
    const inner = isTagElement(element) ? [element.children] : []
    if (isPluralElement(element) || isSelectElement(element))
      inner.push(...Object.values(element.options).map(({ value }) => value))
    return [own, ...inner.flatMap(argumentsOf)]
  })
}

const shapeOf = (message: string) => [...new Set(argumentsOf(parse(message)))].sort().join(' ')

describe('the messages', () => {
  it('can be read', () => {
    for (const [key, message] of MESSAGES) {
      expect(() => parse(message), key).not.toThrow()
      expect(message.trim(), key).toBe(message)
      expect(message, key).not.toBe('')
    }
  })

  it.each(OTHERS)('are there in %s, no more and no less, in words of its own, and take the same arguments', (language) => {
    const own = new Map(leaves(CATALOGUE[language]))
    expect([...own.keys()].sort()).toEqual([...MESSAGES.keys()].sort())
    const left = [...MESSAGES].filter(([key, message]) => own.get(key) === message && message.split(' ').length > 2)
    expect(left).toEqual([])
    const wrong = [...MESSAGES].filter(([key, message]) => shapeOf(own.get(key) ?? '') !== shapeOf(message))
    expect(wrong.map(([key]) => key)).toEqual([])
  })
})

/** Words for which the glossary in CONTRIBUTING has others, where no other sense of them could be meant. */
const OTHER_WORDS =
  /\b(please|e-mails?|slugs?|vanity|administrators?|annotations?|analytics|stats|withdraw|erase|undelete|deactivate|suspend(ed)?|lapsed?|log (in|out)|register|present password|second factor|2FA|capital letters|robots?|crawlers?|short URLs?|long URLs?)\b|!$/i

/** What once read as if it were translated. */
const ODD_PHRASES =
  /that got out|make the account|given out|not heard of|wrong about|to nobody|small letters|^empty:|write down|clicks of people|after it expired|without what is/i

it('says each thing by the one word that there is for it', () => {
  // What is searched for is what people may type.
  const said = [...MESSAGES].filter(([key]) => !/^(commands\.words|pageWords)\./.test(key))
  const wrong = said.filter(([, message]) => OTHER_WORDS.test(message) || ODD_PHRASES.test(message))
  expect(wrong).toEqual([])
})

const SOURCES = new Map(
  ['app', 'lib']
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)))
    .concat('server.ts', 'proxy.ts')
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.ts$|\/testing\/|\/generated\//.test(path))
    .map((path) => [path, readFileSync(path, 'utf8')] as const),
)

/** One saying of a message in the sources. */
interface Saying {
  /** The whole key. `*` stands for what is put in when it runs: `reason.*.title`. */
  key: string
  /** The names of what goes into it; null where only running tells. */
  given: string[] | null
}

/** How a translator is named in a source: `const t = useTranslations('report')`, or a parameter `t: Translator<'report'>`. */
const TRANSLATORS = [
  /(\w+) = (?:await )?(?:useTranslations|getTranslations|translator)\((?:[^()]*(?:\([^()]*\))?[^()]*,\s*)?'([\w.-]+)'\)/g,
  /(\w+): Translator<'([\w.-]+)'>/g,
]

function sayingsIn(source: string): Saying[] {
  const translators = TRANSLATORS.flatMap((pattern) => [...source.matchAll(pattern)])
  const named = [...new Set(translators.map(([, name = '']) => name))].flatMap((name) =>
    callsOf(source, new RegExp(`(?<![\\w.])${name}(?:\\.(?:rich|markup|raw|has))?\\(`, 'g')).flatMap(
      ({ at, given: [key = '', ...rest] }) => {
        // Components of one file name theirs alike: a call is by the one that was named last before it.
        const before = translators.filter(({ index, 1: known }) => known === name && index < at)
        const namespace = before.sort((one, other) => other.index - one.index)[0]?.[2]
        return namespace === undefined ? [] : keysOf(key).map((one) => ({ key: `${namespace}.${one}`, given: namesOf(rest) }))
      },
    ),
  )
  const whole = callsOf(source, /\b(?:say|issue)\(/g).flatMap(({ given: [key = '', ...rest] }) =>
    keysOf(key).map((one) => ({ key: one, given: namesOf(rest) })),
  )
  return [...named, ...whole]
}

/** Where each call is that begins with `pattern`, and its arguments as they are written. */
function callsOf(source: string, pattern: RegExp): { at: number; given: string[] }[] {
  return [...source.matchAll(pattern)].map(({ index, 0: { length } }) => {
    const found = ['']
    let depth = 0
    for (const char of source.slice(index + length)) {
      if (depth === 0 && char === ')') break
      if ('([{'.includes(char)) depth += 1
      if (')]}'.includes(char)) depth -= 1
      if (depth === 0 && char === ',') found.push('')
      else found[found.length - 1] += char
    }
    return { at: index, given: found.map((one) => one.trim()).filter((one) => one !== '') }
  })
}

/** The keys that an argument stands for: a text, a template, or a choice of texts. */
function keysOf(argument: string): string[] {
  if (argument.startsWith('`')) return [argument.slice(1, -1).replaceAll(/\$\{[^}]+\}/g, '*')]
  return [...argument.replace(/^.*?\?(?=\s*')/s, '').matchAll(/'([\w.-]+)'/g)].map(([, key = '']) => key)
}

/** The names in an object that is written out; null for another one. */
function namesOf([values = '{}']: string[]): string[] | null {
  if (!values.startsWith('{') || values.includes('...')) return null
  let depth = 0
  const top = [...values.slice(1, -1)].filter((char) => {
    if ('([{'.includes(char)) depth += 1
    const kept = depth === 0
    if (')]}'.includes(char)) depth -= 1
    return kept
  })
  return top
    .join('')
    .split(',')
    .map((pair) => pair.split(':')[0]?.trim() ?? '')
    .filter((name) => name !== '')
}

const SAID = [...SOURCES].flatMap(([path, source]) => sayingsIn(source).map((saying) => ({ ...saying, path })))

/** The messages that a key with `*` may stand for. */
function messagesAt(key: string): string[] {
  if (!key.includes('*')) return MESSAGES.has(key) ? [key] : []
  const pattern = new RegExp(`^${key.replaceAll('.', '\\.').replaceAll('*', '[\\w-]+')}$`)
  return [...MESSAGES.keys()].filter((one) => pattern.test(one))
}

it('every message is said somewhere', () => {
  const said = new Set(SAID.flatMap(({ key }) => messagesAt(key)))
  expect([...MESSAGES.keys()].filter((key) => !said.has(key))).toEqual([])
})

it('everything said is a message', () => {
  expect(SAID.filter(({ key }) => messagesAt(key).length === 0).map(({ path, key }) => `${path}: ${key}`)).toEqual([])
})

it('every message is given what it takes', () => {
  const lacking = SAID.flatMap(({ path, key, given }) =>
    given === null
      ? []
      : messagesAt(key).flatMap((one) => {
          const takes = argumentsOf(parse(MESSAGES.get(one) ?? '')).map((name) => name.replace(/^<(.*)>$/, '$1'))
          const missing = takes.filter((name) => !given.includes(name))
          return missing.length > 0 ? [`${path}: ${one} takes ${missing.join(', ')}`] : []
        }),
  )
  expect(lacking).toEqual([])
})

const fileOf = (name: string) => [name, `${name}.ts`, `${name}.tsx`, `${name}/index.ts`].find((path) => SOURCES.has(path))

function importsOf(path: string): string[] {
  const source = SOURCES.get(path) ?? ''
  return [...source.matchAll(/^(?:import|export) (?!type\b)[^'"]*from '([^']+)'|\bimport\('([^']+)'\)/gm)].flatMap(
    ([, from, late]) => {
      const name = from ?? late ?? ''
      return fileOf(name.startsWith('@/') ? name.slice(2) : name.startsWith('.') ? join(dirname(path), name) : name) ?? []
    },
  )
}

/** What a page is made of, and of that what its scripts are made of. */
function partsOf(entries: string[]): { all: Set<string>; client: Set<string> } {
  const all = new Set<string>()
  const client = new Set<string>()
  const visit = (path: string, inClient: boolean) => {
    const isClient = inClient || /^'use client'/.test(SOURCES.get(path) ?? '')
    if ((isClient ? client : all).has(path)) return
    all.add(path)
    if (isClient) client.add(path)
    for (const one of importsOf(path)) visit(one, isClient)
  }
  for (const entry of entries) visit(entry, false)
  return { all, client }
}

const namespacesIn = (paths: Iterable<string>, pattern: RegExp) =>
  new Set([...paths].flatMap((path) => [...(SOURCES.get(path) ?? '').matchAll(pattern)].map(([, name = '']) => name)))

/** A page with the frames that it stands in. */
function entriesOf(page: string): string[] {
  const folders = page.split('/').slice(0, -1)
  const layouts = folders.map((_, i) => join(...folders.slice(0, i + 1), 'layout.tsx')).filter((path) => SOURCES.has(path))
  return [...layouts, page]
}

const PAGES = [...SOURCES.keys()].filter((path) => /\/(page|error|not-found)\.tsx$/.test(path))

it.each(PAGES)('%s gives its scripts the messages that they say', (page) => {
  const { all, client } = partsOf(entriesOf(page))
  const needed = new Set([
    ...namespacesIn(client, /useTranslations\('(\w+)/g),
    ...namespacesIn(client, /\b(?:say|issue)\([^)]*?['`](\w+)\./g),
  ])
  const given = new Set([...namespacesIn(all, /<ProvideMessages of=\{\[([^\]]*)\]/g)].flatMap((list) => list.match(/\w+/g) ?? []))
  expect([...needed].filter((name) => !given.has(name))).toEqual([])
})
