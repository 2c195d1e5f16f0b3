-- What the owner of a share of statistics calls it, to tell it from others.
SET @step = IF((SELECT COUNT(*) FROM information_schema.COLUMNS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'StatsShare' AND COLUMN_NAME = 'label') = 0,
  'ALTER TABLE `StatsShare` ADD COLUMN `label` VARCHAR(80) NOT NULL DEFAULT ''''',
  'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;
