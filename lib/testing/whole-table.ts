/**
 * Statements that may read more than a stretch of an index, by their shape (lib/testing/statements.ts), and why. Held to by
 * lib/db/plans.check.ts.
 */
export const WHOLE_TABLE: readonly { statement: RegExp; reason: string }[] = [
  {
    statement: /^SELECT .*, code, title, url FROM Link FORCE INDEX \(Link_updatedAt_idx\) WHERE .* LIMIT \?$/,
    reason:
      'looks through what is not in the search index yet: the statement before it found that this is little (lib/links/look-up.ts)',
  },
  {
    statement: /^SELECT COUNT\(\*\) AS links FROM Link FORCE INDEX \(Link_updatedAt_idx\) WHERE/,
    reason: 'counts the links of one block of the search index (lib/search/indexer.ts)',
  },
  {
    statement: /^SELECT id, (\? AS )?clicks(, code, title, url)? FROM Link FORCE INDEX \(\w+\) WHERE .* ORDER BY .* LIMIT \?$/,
    reason: 'looks through one window: the statement before it found where that ends (`windowEnd` in lib/links/window.ts)',
  },
  {
    statement: /^SELECT .* FROM Link FORCE INDEX \(\w+\) WHERE .* ORDER BY .* LIMIT \? OFFSET \?$/,
    reason:
      'finds where one window ends: reads as many keys of an index as a window is long (`reach` in lib/links/window.ts), and no more',
  },
  {
    statement: /^SELECT COUNT\(\*\) AS count FROM Favicon$/,
    reason: 'at most some ten thousand rows, counted once an hour to delete the oldest of too many (lib/favicons/favicons.ts)',
  },
  {
    statement: /FROM BlockRule$/,
    reason: 'the rules are held in memory as a whole, and counted to see whether they changed',
  },
  {
    statement: /^SELECT .* FROM `(User|BlockRule)` WHERE .*\bLIKE\b/,
    reason: 'an admin looks for a part of a name: no index helps, and these are not tables of millions',
  },
  {
    statement:
      /^SELECT COUNT\(\*\) AS `_count\$_all` FROM \(SELECT `(Link|DeletedLink)`\.`id` FROM `\1` WHERE (`Link`\.`id` > -?\?|\?=\?)\) AS `sub`$/,
    reason: 'a rebuild of the filter counts what it is about to read, to size the new one',
  },
]

/** What only tests ask, by the app's own ways: every row of a table, and rows by what no index leads to. */
export const ASKED_BY_TESTS: readonly RegExp[] = [
  /WHERE \?=\?( ORDER BY `\w+`\.`\w+` ASC)?( LIMIT \? OFFSET \?)?(\) AS `sub`)?$/,
  /\bNowhere\b|\bSLEEP\b/,
  /FROM `Link` WHERE `Link`\.`(url|code)` (=|LIKE)/,
  /^SELECT startsAt FROM Link/,
  /^DELETE FROM `Link` WHERE `Link`\.`id` NOT IN/,
  /FROM `Outbox` WHERE `Outbox`\.`fullShortUrl` = \?\) AS `sub`$/,
]
