-- Links that came over from the old shortener of their domain, known by their redirects alone (lib/links/came-over.ts): an import
-- completes them, and can be undone by what they were before.
CREATE TABLE IF NOT EXISTS `UpstreamLink` (
    `linkId` BIGINT NOT NULL,
    `version` BIGINT NOT NULL,
    `jobId` BIGINT NULL,
    `earlier` MEDIUMTEXT NULL,

    PRIMARY KEY (`linkId`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- The short link that a row of an import asked for and did not get: comparing asks for it too (lib/movers/verify-job.ts).
SET @step = IF((SELECT COUNT(*) FROM information_schema.COLUMNS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'JobItem' AND COLUMN_NAME = 'wanted') = 0,
  'ALTER TABLE `JobItem` ADD COLUMN `wanted` VARCHAR(400) NULL',
  'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;
