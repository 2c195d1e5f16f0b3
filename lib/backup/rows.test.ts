import { describe, expect, it } from 'vitest'
import { isInsertOfValues } from './rows'

const INTO = 'INSERT INTO `Link` (`id`, `title`) VALUES '

describe('an INSERT of a dump', () => {
  it.each([
    "(1,'a);');",
    '\n(1,NULL),\n(-2.5,0x00FF);',
    "(1e-7,'it''s \\' \\\\'),(2,_binary 'x');",
    "(18446744073709551615,_utf8mb4'ü\\0');",
    "(1,'');",
  ])('of values is taken: %s', (values) => expect(isInsertOfValues(INTO + values)).toBe(true))

  it.each([
    '(1,2); DROP TABLE x;',
    '(1,2);;',
    '(1,2)',
    '(1,(SELECT 1));',
    '(1,@@datadir);',
    '(1,NOW());',
    '(1,0x);',
    '(1,2) ON DUPLICATE KEY UPDATE id = 1;',
    '(1,2) /* x */;',
    "(1,'a' 'b');",
    "(1,'a\\');",
    '(1,"a");',
    '(1,-- \n2);',
    '(1,);',
    '();',
    'SELECT * FROM mysql.user;',
    '(1,2),;',
    '(1);',
    '(1,2),(1,2,3);',
    '(1,NULLIF(1,1));',
  ])('of anything else is refused: %s', (values) => expect(isInsertOfValues(INTO + values)).toBe(false))

  it('is read in time proportional to its length', () => {
    const took = (length: number) => {
      const sql = `${INTO}(1,'${"\\'".repeat(length)}');`
      const start = performance.now()
      expect(isInsertOfValues(sql)).toBe(true)
      return performance.now() - start
    }
    took(1e6)
    expect(took(8e6)).toBeLessThan(100 * (took(1e6) + 1))
  })
})
