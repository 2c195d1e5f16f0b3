-- Counts that are made again (lib/counts), and clicks of accounts in several rows a day (lib/clicks/account-clicks.ts). No release
-- has these tables yet: they begin anew.
-- Not used by the previous release: LinkCount, CountedTo, AccountClick
DROP TABLE IF EXISTS `LinkCount`;
CREATE TABLE `LinkCount` (
    `generation` TINYINT NOT NULL,
    `subject` TINYINT NOT NULL,
    `name` VARCHAR(36) NOT NULL,
    `links` BIGINT NOT NULL,

    PRIMARY KEY (`generation`, `subject`, `name`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

DROP TABLE IF EXISTS `AccountClick`;
CREATE TABLE `AccountClick` (
    `ownerId` VARCHAR(36) NOT NULL,
    `day` INTEGER NOT NULL,
    `share` TINYINT NOT NULL,
    `clicks` BIGINT NOT NULL,
    `visitors` BIGINT NOT NULL,
    `bots` BIGINT NOT NULL,
    `previews` BIGINT NOT NULL,

    PRIMARY KEY (`ownerId`, `day`, `share`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

DROP TABLE IF EXISTS `CountedTo`;
CREATE TABLE `CountedTo` (
    `id` INTEGER NOT NULL,
    `lastId` BIGINT NOT NULL,
    `generation` TINYINT NOT NULL,
    `at` DATETIME(3) NULL,

    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

INSERT INTO `CountedTo` (`id`, `lastId`, `generation`, `at`) VALUES (1, -1, 0, NULL), (2, -1, 1, NULL), (3, -1, 0, NULL), (4, -1, 0, NULL);
