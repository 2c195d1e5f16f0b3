-- What an import tells of each row, so that it can be gone on with, downloaded and undone (docs/decisions/0051-imports.md).
SET @step = IF((SELECT COUNT(*) FROM information_schema.COLUMNS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'JobItem' AND COLUMN_NAME = 'line') = 0,
  'ALTER TABLE `JobItem` ADD COLUMN `line` INTEGER NULL, ADD COLUMN `result` VARCHAR(12) NOT NULL DEFAULT \'\', ADD COLUMN `linkId` BIGINT NULL, ADD COLUMN `version` BIGINT NULL',
  'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;

SET @step = IF((SELECT COUNT(*) FROM information_schema.STATISTICS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'JobItem' AND INDEX_NAME = 'JobItem_jobId_outcome_position_idx') = 0,
  'CREATE INDEX `JobItem_jobId_outcome_position_idx` ON `JobItem` (`jobId`, `outcome`, `position`)',
  'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;

SET @step = IF((SELECT COUNT(*) FROM information_schema.COLUMNS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Job' AND COLUMN_NAME = 'mode') = 0,
  'ALTER TABLE `Job` ADD COLUMN `mode` VARCHAR(8) NOT NULL DEFAULT \'\', ADD COLUMN `counts` VARCHAR(200) NOT NULL DEFAULT \'\', ADD COLUMN `undoneBy` VARCHAR(20) NULL',
  'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;
