-- Whether the codes of a domain are the same in capitals (docs/decisions/0046-case.md).
SET @step = IF((SELECT COUNT(*) FROM information_schema.COLUMNS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Domain' AND COLUMN_NAME = 'codeCase') = 0,
  'ALTER TABLE `Domain` ADD COLUMN `codeCase` TINYINT NOT NULL DEFAULT 0',
  'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;
