-- Where an import that asks another system goes on, and what lets it in (lib/movers/source.ts).
CREATE TABLE IF NOT EXISTS `JobSource` (
  `jobId` BIGINT NOT NULL,
  `secret` MEDIUMBLOB NULL,
  `place` VARCHAR(2000) NOT NULL DEFAULT '',
  `found` INTEGER NOT NULL DEFAULT 0,
  `bytes` BIGINT NOT NULL DEFAULT 0,
  `failures` INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (`jobId`)
) DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
