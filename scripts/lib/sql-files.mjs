/** Which files of lib/ have statements of their own, found in the tree: for the tests that each engine must pass, and docs/scale.md. */

import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from './processes.mjs'

const LIB = path.join(ROOT, 'lib')
const SQL =
  /[`'"\s(](?:SELECT [\w*$({]|INSERT (?:IGNORE )?INTO |REPLACE INTO |UPDATE [\w$`]+ (?:SET|JOIN) |DELETE (?:\w+ )?FROM |TRUNCATE )|[`'][A-Z]\w+ WHERE |\bdb\.(?:scan|search)/

/** Code without comments: these speak of statements too. @param {string} file */
const codeOf = (file) => readFileSync(path.join(LIB, file), 'utf8').replace(/^\s*(\/\/|\/?\*).*$/gm, '')

/** @returns {string[]} such as `links/insert`, without tests and what is generated */
export function sqlFiles() {
  return readdirSync(LIB, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.(test|check)\.ts$|^testing\/|^db\/generated\//.test(file))
    .filter((file) => SQL.test(codeOf(file)))
    .map((file) => file.replace(/\.ts$/, ''))
}

/**
 * The tests that can tell engines apart: of the rooms of these files, those that need a database or a Redis.
 *
 * @returns {string[]} as vitest takes them: `lib/links/insert.test.ts`
 */
export function serverTests() {
  const rooms = new Set(sqlFiles().map((file) => file.split('/').slice(0, -1)[0]))
  const files = readdirSync(LIB, { recursive: true, encoding: 'utf8' })
  const helpers = helpersWithServers(files.filter((file) => /^testing\/.*\.ts$/.test(file)))
  return files
    .filter((file) => file.endsWith('.test.ts') && rooms.has(file.split('/')[0]))
    .filter((file) => importsOf(file).some((name) => helpers.has(name)))
    .map((file) => `lib/${file}`)
    .sort()
}

/** What brings a server: the helpers that make a database or a Redis, and those that use them. @param {string[]} testing @returns {Set<string>} */
function helpersWithServers(testing) {
  const found = new Set(['testing/database', 'testing/redis'])
  for (let before = 0; before < found.size; ) {
    before = found.size
    for (const file of testing) if (importsOf(file).some((name) => found.has(name))) found.add(file.replace(/\.ts$/, ''))
  }
  return found
}

/** @param {string} file @returns {string[]} what it imports of lib/, such as `testing/database` */
function importsOf(file) {
  return [...codeOf(file).matchAll(/\b(?:from|import) '(@\/lib\/|\.{1,2}\/)([^']+)'/g)].map(([, start, name = '']) =>
    start === '@/lib/' ? name : path.posix.join(path.posix.dirname(file), start ?? '', name),
  )
}
