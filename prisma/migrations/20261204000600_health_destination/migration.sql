-- Which destination of a link something is wrong with (docs/decisions/0050-health.md).
SET @step = IF((SELECT COUNT(*) FROM information_schema.COLUMNS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'LinkHealth' AND COLUMN_NAME = 'destination') = 0,
  'ALTER TABLE `LinkHealth` ADD COLUMN `destination` TEXT NULL',
  'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;
