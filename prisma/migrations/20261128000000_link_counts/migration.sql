-- How many links there are, kept instead of counted (lib/counts). Filled in the background, whatever is there already.
CREATE TABLE IF NOT EXISTS `LinkCount` (
    `subject` TINYINT NOT NULL,
    `name` VARCHAR(36) NOT NULL,
    `links` BIGINT NOT NULL,

    PRIMARY KEY (`subject`, `name`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `LinkCountChange` (
    `id` BIGINT NOT NULL,
    `linkId` BIGINT NOT NULL,
    `ownerId` VARCHAR(36) NULL,
    `domainId` INTEGER NULL,
    `day` INTEGER NULL,
    `links` TINYINT NOT NULL,

    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `CountedTo` (
    `id` INTEGER NOT NULL,
    `lastId` BIGINT NOT NULL,

    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

INSERT INTO `CountedTo` (`id`, `lastId`) VALUES (1, -1) ON DUPLICATE KEY UPDATE `lastId` = `lastId`;

-- Clicks on all links of an account by day, added up as they are counted. What was counted before is taken in in the background.
CREATE TABLE IF NOT EXISTS `AccountClick` (
    `ownerId` VARCHAR(36) NOT NULL,
    `day` INTEGER NOT NULL,
    `clicks` BIGINT NOT NULL,
    `visitors` BIGINT NOT NULL,
    `bots` BIGINT NOT NULL,
    `previews` BIGINT NOT NULL,

    PRIMARY KEY (`ownerId`, `day`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

INSERT INTO `CountedTo` (`id`, `lastId`) VALUES (2, -1) ON DUPLICATE KEY UPDATE `lastId` = `lastId`;
