-- Each step asks whether it was done: MySQL keeps the steps of an attempt that ended half-way.

-- Jobs are done in turns, wait for their account's budget, and know who may still write for them.
SET @step = IF((SELECT COUNT(*) FROM information_schema.COLUMNS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Job' AND COLUMN_NAME = 'turnAt') = 0,
  'ALTER TABLE `Job`
     ADD COLUMN `client` VARCHAR(64) NULL,
     ADD COLUMN `turnAt` DATETIME(3) NULL,
     ADD COLUMN `waitUntil` DATETIME(3) NULL,
     ADD COLUMN `attempt` INTEGER NOT NULL DEFAULT 0,
     ADD COLUMN `resumeAt` VARCHAR(500) NOT NULL DEFAULT ''''',
  'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;

CREATE TABLE IF NOT EXISTS `JobPart` (
  `jobId` BIGINT NOT NULL,
  `part` INTEGER NOT NULL,
  `content` MEDIUMTEXT NOT NULL,

  PRIMARY KEY (`jobId`, `part`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
