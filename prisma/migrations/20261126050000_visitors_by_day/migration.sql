-- Visitors by day first: what is swept is found by the primary key, and a click writes one index less.
SET @step = IF((SELECT COUNT(*) FROM information_schema.STATISTICS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'ClickVisitor' AND INDEX_NAME = 'ClickVisitor_day_idx') > 0,
  'ALTER TABLE `ClickVisitor` DROP PRIMARY KEY, DROP INDEX `ClickVisitor_day_idx`, ADD PRIMARY KEY (`day`, `linkId`, `visitor`)',
  'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;
