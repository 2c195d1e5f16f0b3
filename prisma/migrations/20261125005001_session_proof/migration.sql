-- Each step asks whether it was done: MySQL keeps the steps of an attempt that ended half-way.

-- When the one whose session it is last showed who they are (lib/accounts/proof.ts). None: when it began.
SET @step = IF((SELECT COUNT(*) FROM information_schema.COLUMNS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Session' AND COLUMN_NAME = 'provedAt') = 0,
  'ALTER TABLE `Session` ADD COLUMN `provedAt` DATETIME(3) NULL',
  'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;

-- From here on no session is prolonged beyond 90 days after it began (lib/accounts/hooks.ts).
UPDATE `Session` SET `expiresAt` = LEAST(`expiresAt`, `createdAt` + INTERVAL 90 DAY);
