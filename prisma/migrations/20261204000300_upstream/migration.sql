-- The old shortener of a domain, which is asked for codes that are not here (docs/decisions/0054-upstream.md).
SET @step = IF((SELECT COUNT(*) FROM information_schema.COLUMNS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Domain' AND COLUMN_NAME = 'upstreamUrl') = 0,
  'ALTER TABLE `Domain`
    ADD COLUMN `upstreamUrl` TEXT NULL,
    ADD COLUMN `upstreamHost` VARCHAR(255) NULL,
    ADD COLUMN `upstreamOwnerId` VARCHAR(36) NULL,
    ADD COLUMN `upstreamSince` DATETIME(3) NULL',
  'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;

CREATE TABLE IF NOT EXISTS `UpstreamCount` (
    `domainId` INTEGER NOT NULL,
    `event` VARCHAR(32) NOT NULL,
    `count` BIGINT NOT NULL,
    `lastAt` DATETIME(3) NOT NULL,

    PRIMARY KEY (`domainId`, `event`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
