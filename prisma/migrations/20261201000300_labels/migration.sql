-- What an account keeps its links by: tags, folders, what is archived or a favorite, and comments. None of it changes what a link
-- does, so none of it is in the row of the link, which redirects and new links stand on.
CREATE TABLE IF NOT EXISTS `Label` (
    `id` BIGINT NOT NULL,
    `ownerId` VARCHAR(36) NOT NULL,
    `kind` TINYINT NOT NULL,
    `name` VARCHAR(50) NOT NULL,
    `nameKey` VARCHAR(150) NOT NULL,

    UNIQUE INDEX `Label_ownerId_kind_nameKey_key`(`ownerId`, `kind`, `nameKey`),
    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `LinkLabel` (
    `labelId` BIGINT NOT NULL,
    `linkId` BIGINT NOT NULL,

    INDEX `LinkLabel_linkId_idx`(`linkId`),
    PRIMARY KEY (`labelId`, `linkId`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `LinkComment` (
    `linkId` BIGINT NOT NULL,
    `ownerId` VARCHAR(36) NOT NULL,
    `text` TEXT NOT NULL,

    INDEX `LinkComment_ownerId_idx`(`ownerId`),
    PRIMARY KEY (`linkId`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
