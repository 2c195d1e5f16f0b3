-- Each step asks whether it was done: MySQL keeps the steps of an attempt that ended half-way.

-- Deleted links are listed by whom a token says they belong to, and by domain, the last deleted first.
SET @step = IF((SELECT COUNT(*) FROM information_schema.STATISTICS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'DeletedLink' AND INDEX_NAME = 'DeletedLink_manageTokenHash_deletedAt_idx') = 0,
  'ALTER TABLE `DeletedLink`
     ADD INDEX `DeletedLink_manageTokenHash_deletedAt_idx`(`manageTokenHash`, `deletedAt`),
     ADD INDEX `DeletedLink_domainId_deletedAt_idx`(`domainId`, `deletedAt`)',
  'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;

-- Invitations that nobody used are swept; those that were used stay, and were read each time.
SET @step = IF((SELECT COUNT(*) FROM information_schema.STATISTICS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Invitation' AND INDEX_NAME = 'Invitation_usedBy_expiresAt_idx') = 0,
  'ALTER TABLE `Invitation`
     ADD INDEX `Invitation_usedBy_expiresAt_idx`(`usedBy`, `expiresAt`), DROP INDEX `Invitation_expiresAt_idx`',
  'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;

-- Accounts are listed by whether they are banned, and keys that have had their time are deleted whenever one is used.
SET @step = IF((SELECT COUNT(*) FROM information_schema.STATISTICS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'User' AND INDEX_NAME = 'User_banned_createdAt_idx') = 0,
  'ALTER TABLE `User` ADD INDEX `User_banned_createdAt_idx`(`banned`, `createdAt`)',
  'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;
SET @step = IF((SELECT COUNT(*) FROM information_schema.STATISTICS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'ApiKey' AND INDEX_NAME = 'ApiKey_expiresAt_idx') = 0,
  'ALTER TABLE `ApiKey` ADD INDEX `ApiKey_expiresAt_idx`(`expiresAt`)',
  'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;
