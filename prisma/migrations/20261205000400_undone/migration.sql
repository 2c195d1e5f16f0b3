-- Deleted by undoing the import that created it: its code is free at once for its account, and the old shortener of its domain is
-- asked for it (lib/links/former.ts).
SET @step = IF((SELECT COUNT(*) FROM information_schema.COLUMNS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'DeletedLink' AND COLUMN_NAME = 'undoneBy') = 0,
  'ALTER TABLE `DeletedLink` ADD COLUMN `undoneBy` VARCHAR(36) NULL',
  'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;
