-- Which of several destinations of a link a click led to, and when splits are to be decided (docs/decisions/0042-routing.md).
SET @step = IF((SELECT COUNT(*) FROM information_schema.COLUMNS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'ClickSource' AND COLUMN_NAME = 'destination') = 0,
  'ALTER TABLE `ClickSource` ADD COLUMN `destination` VARCHAR(255) NOT NULL DEFAULT ''''',
  'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;

CREATE TABLE IF NOT EXISTS `SplitEnd` (
    `linkId` BIGINT NOT NULL,
    `dueAt` DATETIME(3) NOT NULL,

    INDEX `SplitEnd_dueAt_idx`(`dueAt`),
    PRIMARY KEY (`linkId`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
