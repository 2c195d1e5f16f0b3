-- The language in which an account is written to. None: that of the request that leads to the mail.
SET @step = IF((SELECT COUNT(*) FROM information_schema.COLUMNS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'User' AND COLUMN_NAME = 'language') = 0,
  'ALTER TABLE `User` ADD COLUMN `language` VARCHAR(8) NULL',
  'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;
