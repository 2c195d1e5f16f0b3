-- Jobs are done in turns, wait for their account's budget, and know who may still write for them.
ALTER TABLE `Job`
  ADD COLUMN `client` VARCHAR(64) NULL,
  ADD COLUMN `turnAt` DATETIME(3) NULL,
  ADD COLUMN `waitUntil` DATETIME(3) NULL,
  ADD COLUMN `attempt` INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN `resumeAt` VARCHAR(500) NOT NULL DEFAULT '';

CREATE TABLE `JobPart` (
  `jobId` BIGINT NOT NULL,
  `part` INTEGER NOT NULL,
  `content` MEDIUMTEXT NOT NULL,

  PRIMARY KEY (`jobId`, `part`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
