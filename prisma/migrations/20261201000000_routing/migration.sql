-- Where links lead, when that depends on who asks (docs/decisions/0042-routing.md).
SET @step = IF((SELECT COUNT(*) FROM information_schema.COLUMNS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Link' AND COLUMN_NAME = 'routing') = 0,
  'ALTER TABLE `Link` ADD COLUMN `routing` MEDIUMTEXT NULL',
  'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;
