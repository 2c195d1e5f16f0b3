-- The nightly copy of all links (lib/leaving/nightly.ts): what came of the last one, and which process makes the next. One row.

CREATE TABLE IF NOT EXISTS `NightlyCopy` (
  `id` INT NOT NULL,
  `night` VARCHAR(10) NOT NULL DEFAULT '',
  `finishedAt` DATETIME(3) NULL,
  `bytes` BIGINT NOT NULL DEFAULT 0,
  `failedAt` DATETIME(3) NULL,
  `failure` VARCHAR(500) NOT NULL DEFAULT '',
  `holder` VARCHAR(36) NOT NULL DEFAULT '',
  `leaseUntil` DATETIME(3) NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

INSERT INTO `NightlyCopy` (`id`) SELECT 1 FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM `NightlyCopy` WHERE `id` = 1);
