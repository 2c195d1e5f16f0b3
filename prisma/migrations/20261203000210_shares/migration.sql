-- Statistics that an account shows to others by a link (docs/decisions/0048-shared-statistics.md).
CREATE TABLE IF NOT EXISTS `StatsShare` (
    `id` BIGINT NOT NULL,
    `tokenHash` BINARY(32) NOT NULL,
    `ownerId` VARCHAR(36) NOT NULL,
    `linkId` BIGINT NULL,
    `kind` TINYINT NOT NULL,
    `subject` BIGINT NOT NULL,
    `passwordHash` VARCHAR(255) NULL,
    `embeddable` BOOLEAN NOT NULL,
    `createdAt` DATETIME(3) NOT NULL,
    `expiresAt` DATETIME(3) NULL,
    `seenAt` DATETIME(3) NULL,

    UNIQUE INDEX `StatsShare_tokenHash_key`(`tokenHash`),
    INDEX `StatsShare_ownerId_id_idx`(`ownerId`, `id`),
    INDEX `StatsShare_linkId_idx`(`linkId`),
    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
