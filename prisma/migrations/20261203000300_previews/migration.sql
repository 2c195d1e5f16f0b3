-- What apps show of a link where someone wrote it, and what its destination says of itself (docs/decisions/0049-previews.md).
SET @step = IF((SELECT COUNT(*) FROM information_schema.COLUMNS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Link' AND COLUMN_NAME = 'preview') = 0,
  'ALTER TABLE `Link` ADD COLUMN `preview` TEXT NULL',
  'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;

CREATE TABLE IF NOT EXISTS `LinkPreview` (
    `linkId` BIGINT NOT NULL,
    `urlHash` BINARY(32) NOT NULL,
    `title` VARCHAR(200) NOT NULL DEFAULT '',
    `description` VARCHAR(500) NOT NULL DEFAULT '',
    `image` TEXT NULL,
    `failure` VARCHAR(16) NOT NULL DEFAULT '',
    `fetchedAt` DATETIME(3) NULL,
    `attempts` INTEGER NOT NULL DEFAULT 0,
    `dueAt` DATETIME(3) NULL,

    INDEX `LinkPreview_dueAt_idx`(`dueAt`),
    PRIMARY KEY (`linkId`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
