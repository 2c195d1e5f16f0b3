-- Series of numbers that accounts define, and the numbers that were drawn from them (lib/series).
CREATE TABLE IF NOT EXISTS `Series` (
    `id` BIGINT NOT NULL,
    `ownerId` VARCHAR(36) NULL,
    `name` VARCHAR(40) NOT NULL,
    `definition` TEXT NOT NULL,
    `createdAt` DATETIME(3) NOT NULL,

    UNIQUE INDEX `Series_ownerId_name_key`(`ownerId`, `name`),
    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `SeriesNumber` (
    `seriesId` BIGINT NOT NULL,
    `day` INTEGER NOT NULL,
    `position` BIGINT NOT NULL,
    `id` BIGINT NOT NULL,
    `freeAt` DATETIME(3) NULL,

    INDEX `SeriesNumber_seriesId_id_idx`(`seriesId`, `id`),
    PRIMARY KEY (`seriesId`, `day`, `position`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
