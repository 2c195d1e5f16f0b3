-- What an attempt that ended half-way left behind.
DELETE FROM `ClickRollup` WHERE `dimension` = 0 AND `span` = 24;

-- All clicks of a link by day too, as every other dimension has them: 90 days of many links are then 24 times fewer rows.
-- Grouped by the very expression that is read: MySQL refuses any other (only_full_group_by).
INSERT INTO `ClickRollup` (`linkId`, `dimension`, `span`, `hour`, `value`, `clicks`, `visitors`, `bots`, `previews`)
SELECT `linkId`, 0, 24, `hour` DIV 24 * 24, '', SUM(`clicks`), SUM(`visitors`), SUM(`bots`), SUM(`previews`)
FROM `ClickRollup` WHERE `dimension` = 0 AND `span` = 1 GROUP BY `linkId`, `hour` DIV 24 * 24;

-- And all clicks of all links, under the id 0, which no link has: no index leads to the rows of one day.
INSERT INTO `ClickRollup` (`linkId`, `dimension`, `span`, `hour`, `value`, `clicks`, `visitors`, `bots`, `previews`)
SELECT 0, 0, 24, `hour`, '', SUM(`clicks`), SUM(`visitors`), SUM(`bots`), SUM(`previews`)
FROM `ClickRollup` WHERE `dimension` = 0 AND `span` = 24 GROUP BY `hour`;
