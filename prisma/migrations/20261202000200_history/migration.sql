-- What changed of a link, when, by whom, from what to what; and since when its owner keeps that from visitors.
CREATE TABLE IF NOT EXISTS `LinkChange` (
    `linkId` BIGINT NOT NULL,
    `version` BIGINT NOT NULL,
    `at` DATETIME(3) NOT NULL,
    `byKind` TINYINT NOT NULL,
    `byId` VARCHAR(36) NULL,
    `byJob` BOOLEAN NOT NULL DEFAULT false,
    `leads` BOOLEAN NOT NULL,
    `wasOpen` BOOLEAN NOT NULL,
    `changes` MEDIUMTEXT NOT NULL,
    `dropped` INTEGER NOT NULL DEFAULT 0,

    INDEX `LinkChange_byId_idx`(`byId`),
    PRIMARY KEY (`linkId`, `version`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

SET @step = IF((SELECT COUNT(*) FROM information_schema.COLUMNS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Link' AND COLUMN_NAME = 'historyHiddenAt') = 0,
  'ALTER TABLE `Link` ADD COLUMN `historyHiddenAt` DATETIME(3) NULL',
  'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;
