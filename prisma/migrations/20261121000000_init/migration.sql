CREATE TABLE `Domain` (
    `id` INTEGER NOT NULL AUTO_INCREMENT,
    `host` VARCHAR(253) NOT NULL,
    `createdAt` DATETIME(3) NOT NULL,

    UNIQUE INDEX `Domain_host_key`(`host`),
    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `Link` (
    `id` BIGINT NOT NULL,
    `domainId` INTEGER NOT NULL,
    `code` VARCHAR(128) NOT NULL,
    `fullShortUrl` VARCHAR(383) NOT NULL,
    `url` TEXT NOT NULL,
    `urlHash` BINARY(32) NOT NULL,
    `ownerId` VARCHAR(36) NULL,
    `manageTokenHash` BINARY(32) NULL,
    `title` VARCHAR(255) COLLATE utf8mb4_unicode_ci NOT NULL DEFAULT '',
    `redirectStatus` SMALLINT NOT NULL DEFAULT 302,
    `passwordHash` VARCHAR(255) NULL,
    `startsAt` DATETIME(3) NULL,
    `expiresAt` DATETIME(3) NULL,
    `expiredUrl` TEXT NULL,
    `maxClicks` INTEGER NULL,
    `state` VARCHAR(16) NOT NULL DEFAULT 'active',
    `shared` BOOLEAN NOT NULL DEFAULT false,
    `clicks` BIGINT NOT NULL DEFAULT 0,
    `createdAt` DATETIME(3) NOT NULL,
    `updatedAt` DATETIME(3) NOT NULL,
    `version` BIGINT NOT NULL,

    UNIQUE INDEX `Link_fullShortUrl_key`(`fullShortUrl`),
    INDEX `Link_ownerId_urlHash_idx`(`ownerId`, `urlHash`),
    INDEX `Link_ownerId_id_idx`(`ownerId`, `id`),
    INDEX `Link_manageTokenHash_idx`(`manageTokenHash`),
    INDEX `Link_domainId_id_idx`(`domainId`, `id`),
    INDEX `Link_createdAt_idx`(`createdAt`),
    INDEX `Link_updatedAt_idx`(`updatedAt`),
    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `DeletedLink` (
    `id` BIGINT NOT NULL,
    `domainId` INTEGER NOT NULL,
    `code` VARCHAR(128) NOT NULL,
    `fullShortUrl` VARCHAR(383) NOT NULL,
    `ownerId` VARCHAR(36) NULL,
    `manageTokenHash` BINARY(32) NULL,
    `snapshot` MEDIUMTEXT NOT NULL,
    `version` BIGINT NOT NULL,
    `deletedAt` DATETIME(3) NOT NULL,

    UNIQUE INDEX `DeletedLink_fullShortUrl_key`(`fullShortUrl`),
    INDEX `DeletedLink_ownerId_deletedAt_idx`(`ownerId`, `deletedAt`),
    INDEX `DeletedLink_deletedAt_idx`(`deletedAt`),
    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `Outbox` (
    `id` BIGINT NOT NULL,
    `fullShortUrl` VARCHAR(383) NOT NULL,
    `createdAt` DATETIME(3) NOT NULL,

    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `IdempotencyKey` (
    `key` BINARY(32) NOT NULL,
    `requestHash` BINARY(32) NOT NULL,
    `linkId` BIGINT NOT NULL,
    `response` MEDIUMTEXT NOT NULL,
    `createdAt` DATETIME(3) NOT NULL,

    INDEX `IdempotencyKey_createdAt_idx`(`createdAt`),
    PRIMARY KEY (`key`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
