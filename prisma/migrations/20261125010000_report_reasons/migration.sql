-- Reports are listed by reason, whatever their state. The step asks whether it was done: MySQL keeps what an attempt did that ended half-way.
SET @step = IF((SELECT COUNT(*) FROM information_schema.STATISTICS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Report' AND INDEX_NAME = 'Report_reason_id_idx') = 0,
  'ALTER TABLE `Report` ADD INDEX `Report_reason_id_idx`(`reason`, `id`)',
  'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;
