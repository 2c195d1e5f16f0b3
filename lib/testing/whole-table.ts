/**
 * Statements that may read more than a stretch of an index, by their shape (lib/testing/statements.ts), and why. Held to by
 * lib/db/plans.check.ts.
 */
export const WHOLE_TABLE: readonly { statement: RegExp; reason: string }[] = [
  {
    statement:
      /^SELECT \? AS position, .* FROM Link WHERE id > -?\? AND id <= -?\? GROUP BY .* UNION ALL SELECT .* FROM LinkCountChange /,
    reason: 'counts the links of one step: the statement before it found where that ends (lib/counts/counter.ts)',
  },
  {
    statement: /^SELECT id FROM Link WHERE id > -?\? AND id <= -?\? ORDER BY id LIMIT \? OFFSET \?$/,
    reason: 'finds where one step ends: reads as many keys as a step is long (lib/counts/counter.ts)',
  },
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
    statement:
      /^SELECT linkId AS id, \? AS clicks(, code, title, url)? FROM LinkLabel FORCE INDEX \(PRIMARY\) STRAIGHT_JOIN Link .* LIMIT \?$/,
    reason: 'looks through one window of the links of a label: the statement before it found where that ends (lib/links/list.ts)',
  },
  {
    statement:
      /^SELECT (id, clicks(, code, title, url)? FROM LinkLabel .* STRAIGHT_JOIN Link|linkId FROM LinkLabel) .* LIMIT \?( OFFSET \?)?$/,
    reason: 'sorts up to 10,000 links of a label, after a look whether it has more (`sortedRoad` in lib/links/list.ts)',
  },
  {
    statement: /^SELECT linkId AS id, \? AS clicks FROM LinkLabel FORCE INDEX \(PRIMARY\) WHERE .* LIMIT \? OFFSET \?$/,
    reason: 'finds where such a window ends: reads as many keys as it is long (lib/links/list.ts)',
  },
  {
    statement: /^SELECT COUNT\(\*\) AS count FROM Favicon$/,
    reason: 'at most some ten thousand rows, counted once an hour to delete the oldest of too many (lib/favicons/favicons.ts)',
  },
  {
    statement:
      /^SELECT ownerId, events FROM Webhook FORCE INDEX \(Webhook_enabled_ownerId_events_idx\) WHERE enabled = TRUE LIMIT \?$/,
    reason: 'accounts with webhooks are held in memory, up to 5,000 rows read in one index (lib/events/listeners.ts)',
  },
  {
    statement: /^SELECT domainId, event, count, lastAt FROM UpstreamCount$/,
    reason: 'some ten rows for each domain that has an old shortener, for the list of domains (lib/upstream/view.ts)',
  },
  {
    statement: /^SELECT id FROM Domain WHERE upstreamUrl IS NOT NULL$/,
    reason: 'domains are few, and all are held in memory (lib/links/sweep.ts)',
  },
  {
    statement: /FROM BlockRule$/,
    reason: 'the rules are held in memory as a whole, and counted to see whether they changed',
  },
  {
    statement: /^SELECT .* FROM `(User|BlockRule)` WHERE .*\bLIKE\b/,
    reason: 'an admin looks for a part of a name: no index helps, and these are not tables of millions',
  },
]

/** What only tests ask, by the app's own ways: every row of a table, and rows by what no index leads to. */
export const ASKED_BY_TESTS: readonly RegExp[] = [
  /WHERE \?=\?( ORDER BY `\w+`\.`\w+` ASC)?( LIMIT \? OFFSET \?)?(\) AS `sub`)?$/,
  /\bNowhere\b|\bSLEEP\b/,
  /FROM `Link` WHERE `Link`\.`(url|code)` (=|LIKE|IN)/,
  /^UPDATE Link SET clicks = \? WHERE code = \?$/,
  /^SELECT startsAt FROM Link/,
  /^DELETE FROM Outbox$/,
  /^UPDATE DeletedLink SET deletedAt = \? WHERE code = \?$/,
  /^UPDATE UpstreamCount SET lastAt = lastAt - INTERVAL \? DAY$/,
  /^DELETE FROM `Link` WHERE `Link`\.`id` NOT IN/,
  /FROM `Outbox` WHERE `Outbox`\.`fullShortUrl` = \?\) AS `sub`$/,
]
