-- UTM parameters that accounts saved under a name, to add them to destinations.
CREATE TABLE IF NOT EXISTS `UtmTemplate` (
    `id` BIGINT NOT NULL,
    `ownerId` VARCHAR(36) NOT NULL,
    `name` VARCHAR(50) NOT NULL,
    `nameKey` VARCHAR(150) NOT NULL,
    `source` VARCHAR(100) NOT NULL,
    `medium` VARCHAR(100) NOT NULL,
    `campaign` VARCHAR(100) NOT NULL,
    `term` VARCHAR(100) NOT NULL,
    `content` VARCHAR(100) NOT NULL,

    UNIQUE INDEX `UtmTemplate_ownerId_nameKey_key`(`ownerId`, `nameKey`),
    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
