-- Each step asks whether it was done: MySQL keeps the steps of an attempt that ended half-way.

-- What a link was before it was banned, and is again when the ban is lifted.
SET @step = IF((SELECT COUNT(*) FROM information_schema.COLUMNS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Link' AND COLUMN_NAME = 'stateBeforeBan') = 0,
  'ALTER TABLE `Link` ADD COLUMN `stateBeforeBan` VARCHAR(16) NOT NULL DEFAULT ''''',
  'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;
