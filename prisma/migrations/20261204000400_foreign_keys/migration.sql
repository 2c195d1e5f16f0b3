-- API keys that other shorteners made, and signature tokens of keys (docs/decisions/0055-foreign-apis.md).
SET @step = IF((SELECT COUNT(*) FROM information_schema.COLUMNS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'ApiKey' AND COLUMN_NAME = 'signature') = 0,
  'ALTER TABLE `ApiKey` ADD COLUMN `signature` VARCHAR(64) NULL',
  'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;

SET @step = IF((SELECT COUNT(*) FROM information_schema.STATISTICS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'ApiKey' AND INDEX_NAME = 'ApiKey_signature_key') = 0,
  'CREATE UNIQUE INDEX `ApiKey_signature_key` ON `ApiKey` (`signature`)',
  'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;

-- A key opens one account, whoever brings it along. Those that Terse makes are random, and a new column is empty.
-- Never twice in the previous release: ApiKey.key, ApiKey.signature
SET @step = IF((SELECT COUNT(*) FROM information_schema.STATISTICS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'ApiKey' AND INDEX_NAME = 'ApiKey_key_key') = 0,
  'CREATE UNIQUE INDEX `ApiKey_key_key` ON `ApiKey` (`key`)',
  'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;
