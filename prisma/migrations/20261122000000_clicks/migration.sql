-- How much of `maxClicks` is used up. Decided before a redirect is answered, while `clicks` is counted after.
ALTER TABLE `Link` ADD COLUMN `taken` INTEGER NOT NULL DEFAULT 0 AFTER `maxClicks`;

UPDATE `Link` SET `taken` = LEAST(`clicks`, 2000000000) WHERE `maxClicks` IS NOT NULL;

CREATE TABLE `ClickBatch` (
    `id` BINARY(16) NOT NULL,

    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `Click` (
    `id` BIGINT NOT NULL,
    `linkId` BIGINT NOT NULL,
    `at` DATETIME(3) NOT NULL,
    `kind` VARCHAR(8) NOT NULL,
    `visitor` BINARY(8) NOT NULL,
    `country` VARCHAR(2) NOT NULL,
    `city` VARCHAR(100) NOT NULL,
    `browser` VARCHAR(40) NOT NULL,
    `os` VARCHAR(40) NOT NULL,
    `device` VARCHAR(16) NOT NULL,
    `language` VARCHAR(16) NOT NULL,
    `referrer` VARCHAR(255) NOT NULL,
    `utmSource` VARCHAR(100) NOT NULL,
    `utmMedium` VARCHAR(100) NOT NULL,
    `utmCampaign` VARCHAR(100) NOT NULL,
    `utmTerm` VARCHAR(100) NOT NULL,
    `utmContent` VARCHAR(100) NOT NULL,
    `referrerUrl` VARCHAR(1024) NOT NULL,
    `userAgent` VARCHAR(512) NOT NULL,

    INDEX `Click_at_idx`(`at`),
    PRIMARY KEY (`linkId`, `at`, `id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `ClickRollup` (
    `linkId` BIGINT NOT NULL,
    `dimension` TINYINT NOT NULL,
    `span` TINYINT NOT NULL,
    `hour` INTEGER NOT NULL,
    `value` VARCHAR(255) NOT NULL,
    `clicks` BIGINT NOT NULL,
    `visitors` BIGINT NOT NULL,
    `bots` BIGINT NOT NULL,
    `previews` BIGINT NOT NULL,

    PRIMARY KEY (`linkId`, `dimension`, `span`, `hour`, `value`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `ClickVisitor` (
    `linkId` BIGINT NOT NULL,
    `day` INTEGER NOT NULL,
    `visitor` BINARY(8) NOT NULL,

    INDEX `ClickVisitor_day_idx`(`day`),
    PRIMARY KEY (`linkId`, `day`, `visitor`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `ClickPurge` (
    `linkId` BIGINT NOT NULL,

    PRIMARY KEY (`linkId`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
