-- Which job deleted a link: what it deleted can be restored all at once, and nothing else with it.
SET @step = IF((SELECT COUNT(*) FROM information_schema.COLUMNS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'DeletedLink' AND COLUMN_NAME = 'deletedByJob') = 0,
  'ALTER TABLE `DeletedLink` ADD COLUMN `deletedByJob` BIGINT NULL, ADD INDEX `DeletedLink_deletedByJob_idx`(`deletedByJob`)',
  'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;
