-- Single clicks as numbers: what many of them share is kept once. The rows of `Click` are moved in the background
-- (lib/clicks/old-clicks.ts), and by a release that still writes there some are added until it has stopped.
CREATE TABLE IF NOT EXISTS `SingleClick` (
    `linkId` BIGINT NOT NULL,
    `id` BIGINT NOT NULL,
    `visitor` BINARY(8) NOT NULL,
    `kind` TINYINT NOT NULL,
    `agentId` INTEGER NOT NULL,
    `sourceId` INTEGER NOT NULL,
    `placeId` INTEGER NOT NULL,

    PRIMARY KEY (`linkId`, `id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `ClickAgent` (
    `id` INTEGER NOT NULL,
    `browser` VARCHAR(40) NOT NULL,
    `os` VARCHAR(40) NOT NULL,
    `device` VARCHAR(16) NOT NULL,
    `language` VARCHAR(16) NOT NULL,
    `userAgent` VARCHAR(512) NOT NULL,
    `usedOn` INTEGER NOT NULL,

    INDEX `ClickAgent_usedOn_idx`(`usedOn`),
    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `ClickSource` (
    `id` INTEGER NOT NULL,
    `referrer` VARCHAR(255) NOT NULL,
    `referrerUrl` VARCHAR(1024) NOT NULL,
    `utmSource` VARCHAR(100) NOT NULL,
    `utmMedium` VARCHAR(100) NOT NULL,
    `utmCampaign` VARCHAR(100) NOT NULL,
    `utmTerm` VARCHAR(100) NOT NULL,
    `utmContent` VARCHAR(100) NOT NULL,
    `usedOn` INTEGER NOT NULL,

    INDEX `ClickSource_usedOn_idx`(`usedOn`),
    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `ClickPlace` (
    `id` INTEGER NOT NULL,
    `country` VARCHAR(2) NOT NULL,
    `city` VARCHAR(100) NOT NULL,
    `usedOn` INTEGER NOT NULL,

    INDEX `ClickPlace_usedOn_idx`(`usedOn`),
    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `ClickDay` (
    `day` INTEGER NOT NULL,
    `linkId` BIGINT NOT NULL,

    PRIMARY KEY (`day`, `linkId`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
