import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { LANGUAGES } from './languages'

const FOLDER = 'extension/_locales'

type Texts = Record<string, { message: string; placeholders?: object }>

const read = (locale: string): Texts => JSON.parse(readFileSync(`${FOLDER}/${locale}/messages.json`, 'utf8'))
const valuesIn = (texts: Texts) =>
  Object.entries(texts)
    .map(([name, { message }]) => `${name} ${message.match(/\$\w+\$/g) ?? ''}`)
    .sort()

it('the browser extension speaks the languages that pages speak', () => {
  const spoken = readdirSync(FOLDER).map((locale) => locale.slice(0, 2))
  expect(spoken.sort()).toEqual(expect.arrayContaining(Object.keys(LANGUAGES).sort()))
})

it('says the same in each', () => {
  const english = valuesIn(read('en'))
  for (const locale of readdirSync(FOLDER)) expect(valuesIn(read(locale)), locale).toEqual(english)
})

it('says all of its texts, and none that it has not', () => {
  const sources = readdirSync('extension', { encoding: 'utf8' }).filter((name) => /\.(ts|html|json)$/.test(name))
  const all = sources.map((name) => readFileSync(`extension/${name}`, 'utf8')).join('\n')
  const said = [...all.matchAll(/\bsay\(([^)]*)|data-message="(\w+)"|__MSG_(\w+)__/g)].flatMap(([, call, attribute, manifest]) =>
    call === undefined ? [attribute ?? manifest ?? ''] : [...call.matchAll(/'(\w+)'/g)].map(([, name = '']) => name),
  )
  expect([...new Set(said)].sort()).toEqual(Object.keys(read('en')).sort())
})
