-- Clicks on the links of a tag, a folder, a domain or an account, added up when someone asks for them and they are too many to read.
-- The sums are rows of ClickRollup, under an id of their own: this says under which, of when they are, and how far the next count is.
CREATE TABLE IF NOT EXISTS `ScopeSum` (
    `ownerId` VARCHAR(36) NOT NULL,
    `kind` TINYINT NOT NULL,
    `subject` BIGINT NOT NULL,
    `sumId` BIGINT NULL,
    `countedAt` DATETIME(3) NULL,
    `took` INTEGER NOT NULL DEFAULT 0,
    `links` INTEGER NOT NULL DEFAULT 0,
    `top` MEDIUMTEXT NOT NULL,
    `nextId` BIGINT NULL,
    `startedAt` DATETIME(3) NULL,
    `lastId` BIGINT NOT NULL DEFAULT -1,
    `nextLinks` INTEGER NOT NULL DEFAULT 0,
    `nextTop` MEDIUMTEXT NOT NULL,
    `dueAt` DATETIME(3) NULL,
    `askedAt` DATETIME(3) NOT NULL,

    INDEX `ScopeSum_dueAt_idx`(`dueAt`),
    INDEX `ScopeSum_askedAt_idx`(`askedAt`),
    PRIMARY KEY (`ownerId`, `kind`, `subject`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
