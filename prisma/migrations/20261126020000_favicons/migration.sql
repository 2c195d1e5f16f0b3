-- Icons of the sites that links lead to, and which sites have none (lib/favicons).
CREATE TABLE IF NOT EXISTS `Favicon` (
    `id` BINARY(16) NOT NULL,
    `type` VARCHAR(16) NOT NULL,
    `content` MEDIUMBLOB NOT NULL,
    `fetchedAt` DATETIME(3) NOT NULL,

    INDEX `Favicon_fetchedAt_idx`(`fetchedAt`),
    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
