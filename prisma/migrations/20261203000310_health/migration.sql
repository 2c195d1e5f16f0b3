-- The health of destinations, and the list of threats that links are held against (docs/decisions/0050-health.md).
CREATE TABLE IF NOT EXISTS `HealthAccount` (
    `ownerId` VARCHAR(36) NOT NULL,
    `checkedTo` BIGINT NOT NULL DEFAULT -1,
    `roundAt` DATETIME(3) NOT NULL,
    `dueAt` DATETIME(3) NOT NULL,
    `leaseUntil` DATETIME(3) NULL,
    `toldAt` DATETIME(3) NULL,

    INDEX `HealthAccount_dueAt_idx`(`dueAt`),
    PRIMARY KEY (`ownerId`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `LinkHealth` (
    `linkId` BIGINT NOT NULL,
    `ownerId` VARCHAR(36) NOT NULL,
    `urlHash` BINARY(32) NOT NULL,
    `state` TINYINT NOT NULL,
    `reason` VARCHAR(16) NOT NULL,
    `status` SMALLINT NULL,
    `failures` INTEGER NOT NULL,
    `since` DATETIME(3) NOT NULL,
    `checkedAt` DATETIME(3) NOT NULL,
    `dueAt` DATETIME(3) NOT NULL,
    `isTold` BOOLEAN NOT NULL DEFAULT false,

    INDEX `LinkHealth_ownerId_dueAt_idx`(`ownerId`, `dueAt`),
    INDEX `LinkHealth_ownerId_isTold_state_idx`(`ownerId`, `isTold`, `state`),
    PRIMARY KEY (`linkId`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `ThreatList` (
    `id` INTEGER NOT NULL,
    `version` BIGINT NOT NULL,
    `entries` INTEGER NOT NULL,
    `short` INTEGER NOT NULL,
    `pauses` BOOLEAN NOT NULL DEFAULT false,
    `uploadedAt` DATETIME(3) NULL,
    `sweptFor` VARCHAR(32) NOT NULL DEFAULT '',
    `sweptTo` BIGINT NULL,
    `leaseUntil` DATETIME(3) NULL,

    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `ThreatPart` (
    `version` BIGINT NOT NULL,
    `part` INTEGER NOT NULL,
    `bytes` TINYINT NOT NULL,
    `content` MEDIUMBLOB NOT NULL,

    PRIMARY KEY (`version`, `part`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- One row each: of all processes, one after another takes a turn.
CREATE TABLE IF NOT EXISTS `HealthPace` (
    `id` INTEGER NOT NULL,
    `nextAt` DATETIME(3) NOT NULL,

    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

INSERT INTO `HealthPace` (`id`, `nextAt`)
  SELECT 1, UTC_TIMESTAMP(3) FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM `HealthPace`);
INSERT INTO `ThreatList` (`id`, `version`, `entries`, `short`)
  SELECT 1, 0, 0, 0 FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM `ThreatList`);
