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

/** @returns {string[]} the folders of lib/ that these files are in, as vitest takes them: `lib/links/` */
export function sqlRooms() {
  const folders = sqlFiles().map((file) => file.split('/'))
  return [...new Set(folders.filter(({ length }) => length > 1).map(([room]) => `lib/${room}/`))].sort()
}
