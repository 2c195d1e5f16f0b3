import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { RegExpParser } from '@eslint-community/regexpp'
import { ts } from '@ts-morph/common'
import { analyse } from 'scslre'
import { expect, it } from 'vitest'

/**
 * Regular expressions whose time grows faster than their text, and why theirs is always short. What others write (a file, an
 * answer, a page, a field) can be long: there, one of these stops every redirect for seconds.
 */
const SHORT: Readonly<Record<string, string>> = {
  'lib/api/openapi.ts': 'paths of the table of endpoints',
  'lib/backup/age.ts': 'base64 of 32 bytes',
  'lib/clicks/enrich/agent.ts': 'a user agent is cut to 512 characters',
  'lib/clicks/enrich/geo.ts': 'names of cities in the location file',
  'lib/config.ts': 'a setting of the operator',
  'lib/db/migration-texts.ts': 'the migrations',
  'lib/links/suggest-codes.ts': 'a code, cut to four times its length',
  'lib/net/ranges.ts': 'an address',
  'lib/previews/charset.ts': 'the first 1,024 bytes of a page',
  'lib/redirect/past-writer.ts': 'whatever follows is matched: nothing is tried again',
  'lib/redirect/style.ts': 'a style sheet of the project',
  'lib/tools/money.ts': 'up to 18 digits',
  'packages/cli/src/address.ts': 'an argument of a command',
  'packages/cli/src/client.ts': 'an address that the user set',
  'packages/cli/src/settings.ts': 'an address that the user set',
}

const parser = new RegExpParser()

/** Where in a file's literals a part is tried again at each character, or in more than one way. */
function slowIn(path: string): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const { pattern, flags } = parser.parseLiteral(node.text)
      if (analyse({ pattern, flags }).reports.length > 0) found.push(node.text)
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true))
  return found
}

it('each regular expression takes time in proportion to its text, or its text is short', () => {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'app', 'lib', 'packages/cli/src', 'server.ts'], {
    encoding: 'utf8',
  })
    .split('\n')
    .filter((path) => /\.tsx?$/.test(path) && !/\.(test|check)\.ts$|^lib\/(testing|db\/generated)\//.test(path))
  const slow = files.map((path) => [path, slowIn(path)] as const).filter(([, found]) => found.length > 0)
  expect(slow.filter(([path]) => !(path in SHORT))).toEqual([])
  expect(Object.keys(SHORT).filter((path) => !slow.some(([known]) => known === path))).toEqual([])
})
