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

  it.each(OTHERS)('are there in %s, no more and no less, and take the same arguments', (language) => {
    const own = new Map(leaves(CATALOGUE[language]))
    expect([...own.keys()].sort()).toEqual([...MESSAGES.keys()].sort())
    const wrong = [...MESSAGES].filter(([key, message]) => shapeOf(own.get(key) ?? '') !== shapeOf(message))
    expect(wrong.map(([key]) => key)).toEqual([])
  })
})

const SOURCES = new Map(
  ['app', 'lib']
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)))
    .concat('server.ts', 'proxy.ts')
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.ts$|\/testing\/|\/generated\//.test(path))
    .map((path) => [path, readFileSync(path, 'utf8')] as const),
)

/**
 * What a source says, as whole keys. `*` stands for what is put in when it runs: `reason.*.title`. A translator is known by the name that it is
 * given: `const t = useTranslations('report')`, or a parameter `t: Translator<'report'>`.
 */
function keysIn(source: string): string[] {
  const translators = [
    ...source.matchAll(
      /(\w+) = (?:await )?(?:useTranslations|getTranslations|translator)\((?:[^()]*(?:\([^()]*\))?[^()]*,\s*)?'([\w.-]+)'\)/g,
    ),
    ...source.matchAll(/(\w+): Translator<'([\w.-]+)'>/g),
  ]
  const said = translators.flatMap(([, name, namespace]) =>
    [
      ...source.matchAll(new RegExp(`\\b${name}(?:\\.\\w+)?\\(\\s*(?:'([^']+)'|\`([^\`]+)\`|([^'\`][^,)\n]*\\?[^\n]*))`, 'g')),
    ].flatMap(([, plain, template, choice]) =>
      choice === undefined
        ? [`${namespace}.${plain ?? template?.replaceAll(/\$\{[^}]+\}/g, '*')}`]
        : [...choice.matchAll(/'([\w.-]+)'/g)].map(([, key]) => `${namespace}.${key}`),
    ),
  )
  const whole = [...source.matchAll(/\bsay\(\s*(?:'([^']+)'|`([^`]+)`)/g)].map(([, plain, template]) =>
    String(plain ?? template?.replaceAll(/\$\{[^}]+\}/g, '*')),
  )
  return [...said, ...whole]
}

const SAID = new Set([...SOURCES.values()].flatMap(keysIn))

it('every message is said somewhere', () => {
  const patterns = [...SAID]
    .filter((key) => key.includes('*'))
    .map((key) => new RegExp(`^${key.replaceAll('.', '\\.').replaceAll('*', '[\\w-]+')}$`))
  const unused = [...MESSAGES.keys()].filter((key) => !SAID.has(key) && !patterns.some((pattern) => pattern.test(key)))
  expect(unused).toEqual([])
})

it('everything said is a message', () => {
  expect([...SAID].filter((key) => !key.includes('*') && !MESSAGES.has(key))).toEqual([])
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
  const needed = namespacesIn(client, /useTranslations\('(\w+)/g)
  const given = new Set([...namespacesIn(all, /<ProvideMessages of=\{\[([^\]]*)\]/g)].flatMap((list) => list.match(/\w+/g) ?? []))
  expect([...needed].filter((name) => !given.has(name))).toEqual([])
})
