-- What links bring along from where they were before, and which domains keep short numbers for spoken codes
-- (docs/decisions/0052-codes-of-others.md).
SET @step = IF((SELECT COUNT(*) FROM information_schema.COLUMNS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Link' AND COLUMN_NAME = 'clicksBefore') = 0,
  'ALTER TABLE `Link` ADD COLUMN `clicksBefore` BIGINT NOT NULL DEFAULT 0',
  'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;

SET @step = IF((SELECT COUNT(*) FROM information_schema.COLUMNS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Domain' AND COLUMN_NAME = 'spokenCodes') = 0,
  'ALTER TABLE `Domain` ADD COLUMN `spokenCodes` BOOLEAN NULL',
  'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;

-- Spoken numbers were created on the default domain, whichever that is.
UPDATE `Domain` SET `spokenCodes` = TRUE WHERE `isDefault` = TRUE AND `spokenCodes` IS NULL;
