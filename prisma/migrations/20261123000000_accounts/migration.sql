ALTER TABLE `Domain`
    ADD COLUMN `isDefault` BOOLEAN NOT NULL DEFAULT false,
    ADD COLUMN `verifiedAt` DATETIME(3) NULL,
    ADD COLUMN `rootUrl` TEXT NULL,
    ADD COLUMN `notFoundUrl` TEXT NULL;

-- Domains that were there before are ours.
UPDATE `Domain` SET `verifiedAt` = `createdAt`;

ALTER TABLE `Link`
    ADD COLUMN `banReason` VARCHAR(255) NOT NULL DEFAULT '' AFTER `state`,
    ADD COLUMN `listed` BOOLEAN NOT NULL DEFAULT false AFTER `banReason`,
    ADD COLUMN `searchText` TEXT COLLATE utf8mb4_unicode_ci GENERATED ALWAYS AS (CONCAT_WS(' ', `code`, `title`, `url`)) STORED,
    ADD INDEX `Link_ownerId_clicks_id_idx`(`ownerId`, `clicks`, `id`),
    ADD INDEX `Link_clicks_id_idx`(`clicks`, `id`);

ALTER TABLE `Link` ADD FULLTEXT INDEX `Link_searchText_idx`(`searchText`);

CREATE TABLE `User` (
    `id` VARCHAR(36) NOT NULL,
    `name` VARCHAR(255) COLLATE utf8mb4_unicode_ci NOT NULL,
    `email` VARCHAR(254) NOT NULL,
    `emailVerified` BOOLEAN NOT NULL DEFAULT false,
    `image` TEXT NULL,
    `createdAt` DATETIME(3) NOT NULL,
    `updatedAt` DATETIME(3) NOT NULL,
    `role` VARCHAR(16) NOT NULL DEFAULT 'user',
    `banned` BOOLEAN NOT NULL DEFAULT false,
    `banReason` VARCHAR(255) NULL,
    `banExpires` DATETIME(3) NULL,
    `handle` VARCHAR(8) NULL,
    `twoFactorEnabled` BOOLEAN NOT NULL DEFAULT false,
    `publicProfile` BOOLEAN NOT NULL DEFAULT false,

    UNIQUE INDEX `User_email_key`(`email`),
    UNIQUE INDEX `User_handle_key`(`handle`),
    INDEX `User_role_idx`(`role`),
    INDEX `User_createdAt_idx`(`createdAt`),
    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `Session` (
    `id` VARCHAR(36) NOT NULL,
    `userId` VARCHAR(36) NOT NULL,
    `token` VARCHAR(255) NOT NULL,
    `expiresAt` DATETIME(3) NOT NULL,
    `ipAddress` VARCHAR(64) NULL,
    `userAgent` TEXT NULL,
    `impersonatedBy` VARCHAR(36) NULL,
    `createdAt` DATETIME(3) NOT NULL,
    `updatedAt` DATETIME(3) NOT NULL,

    UNIQUE INDEX `Session_token_key`(`token`),
    INDEX `Session_userId_idx`(`userId`),
    INDEX `Session_expiresAt_idx`(`expiresAt`),
    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `Credential` (
    `id` VARCHAR(36) NOT NULL,
    `userId` VARCHAR(36) NOT NULL,
    `providerId` VARCHAR(64) NOT NULL,
    `accountId` VARCHAR(255) NOT NULL,
    `password` VARCHAR(255) NULL,
    `accessToken` TEXT NULL,
    `refreshToken` TEXT NULL,
    `idToken` TEXT NULL,
    `accessTokenExpiresAt` DATETIME(3) NULL,
    `refreshTokenExpiresAt` DATETIME(3) NULL,
    `scope` TEXT NULL,
    `createdAt` DATETIME(3) NOT NULL,
    `updatedAt` DATETIME(3) NOT NULL,

    UNIQUE INDEX `Credential_providerId_accountId_key`(`providerId`, `accountId`),
    INDEX `Credential_userId_idx`(`userId`),
    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `Verification` (
    `id` VARCHAR(36) NOT NULL,
    `identifier` VARCHAR(255) NOT NULL,
    `value` TEXT NOT NULL,
    `expiresAt` DATETIME(3) NOT NULL,
    `createdAt` DATETIME(3) NOT NULL,
    `updatedAt` DATETIME(3) NOT NULL,

    INDEX `Verification_identifier_idx`(`identifier`),
    INDEX `Verification_expiresAt_idx`(`expiresAt`),
    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `TwoFactor` (
    `id` VARCHAR(36) NOT NULL,
    `userId` VARCHAR(36) NOT NULL,
    `secret` TEXT NOT NULL,
    `backupCodes` TEXT NOT NULL,
    `verified` BOOLEAN NOT NULL DEFAULT true,
    `failedVerificationCount` INTEGER NOT NULL DEFAULT 0,
    `lockedUntil` DATETIME(3) NULL,

    INDEX `TwoFactor_userId_idx`(`userId`),
    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `Passkey` (
    `id` VARCHAR(36) NOT NULL,
    `userId` VARCHAR(36) NOT NULL,
    `name` VARCHAR(255) NULL,
    `publicKey` TEXT NOT NULL,
    `credentialID` VARCHAR(512) NOT NULL,
    `counter` INTEGER NOT NULL,
    `deviceType` VARCHAR(32) NOT NULL,
    `backedUp` BOOLEAN NOT NULL,
    `transports` VARCHAR(255) NULL,
    `createdAt` DATETIME(3) NULL,
    `aaguid` VARCHAR(64) NULL,

    INDEX `Passkey_userId_idx`(`userId`),
    INDEX `Passkey_credentialID_idx`(`credentialID`),
    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `ApiKey` (
    `id` VARCHAR(36) NOT NULL,
    `configId` VARCHAR(32) NOT NULL DEFAULT 'default',
    `name` VARCHAR(255) NULL,
    `start` VARCHAR(32) NULL,
    `prefix` VARCHAR(32) NULL,
    `referenceId` VARCHAR(36) NOT NULL,
    `key` VARCHAR(255) NOT NULL,
    `refillInterval` INTEGER NULL,
    `refillAmount` INTEGER NULL,
    `lastRefillAt` DATETIME(3) NULL,
    `enabled` BOOLEAN NOT NULL DEFAULT true,
    `rateLimitEnabled` BOOLEAN NOT NULL DEFAULT false,
    `rateLimitTimeWindow` INTEGER NULL,
    `rateLimitMax` INTEGER NULL,
    `requestCount` INTEGER NOT NULL DEFAULT 0,
    `remaining` INTEGER NULL,
    `lastRequest` DATETIME(3) NULL,
    `expiresAt` DATETIME(3) NULL,
    `createdAt` DATETIME(3) NOT NULL,
    `updatedAt` DATETIME(3) NOT NULL,
    `permissions` TEXT NULL,
    `metadata` TEXT NULL,

    INDEX `ApiKey_referenceId_idx`(`referenceId`),
    INDEX `ApiKey_key_idx`(`key`),
    INDEX `ApiKey_configId_idx`(`configId`),
    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `Invitation` (
    `id` BIGINT NOT NULL,
    `tokenHash` BINARY(32) NOT NULL,
    `email` VARCHAR(254) NOT NULL DEFAULT '',
    `createdBy` VARCHAR(36) NOT NULL,
    `createdAt` DATETIME(3) NOT NULL,
    `expiresAt` DATETIME(3) NOT NULL,
    `usedBy` VARCHAR(36) NULL,

    UNIQUE INDEX `Invitation_tokenHash_key`(`tokenHash`),
    INDEX `Invitation_expiresAt_idx`(`expiresAt`),
    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `FreedHandle` (
    `handle` INTEGER NOT NULL,
    `freedAt` DATETIME(3) NOT NULL,

    INDEX `FreedHandle_freedAt_idx`(`freedAt`),
    PRIMARY KEY (`handle`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `Report` (
    `id` BIGINT NOT NULL,
    `reference` VARCHAR(16) NOT NULL,
    `fullShortUrl` VARCHAR(383) NOT NULL,
    `linkId` BIGINT NULL,
    `url` TEXT NOT NULL,
    `reason` VARCHAR(16) NOT NULL,
    `details` TEXT NOT NULL,
    `email` VARCHAR(254) NOT NULL DEFAULT '',
    `state` VARCHAR(16) NOT NULL DEFAULT 'open',
    `answer` TEXT NOT NULL,
    `handledBy` VARCHAR(36) NULL,
    `handledAt` DATETIME(3) NULL,
    `createdAt` DATETIME(3) NOT NULL,

    UNIQUE INDEX `Report_reference_key`(`reference`),
    INDEX `Report_state_id_idx`(`state`, `id`),
    INDEX `Report_fullShortUrl_idx`(`fullShortUrl`),
    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `BlockRule` (
    `id` BIGINT NOT NULL,
    `kind` VARCHAR(8) NOT NULL,
    `value` VARCHAR(253) NOT NULL,
    `reason` VARCHAR(255) NOT NULL DEFAULT '',
    `createdBy` VARCHAR(36) NOT NULL,
    `createdAt` DATETIME(3) NOT NULL,

    UNIQUE INDEX `BlockRule_kind_value_key`(`kind`, `value`),
    INDEX `BlockRule_createdAt_idx`(`createdAt`),
    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `AuditEntry` (
    `id` BIGINT NOT NULL,
    `at` DATETIME(3) NOT NULL,
    `actorId` VARCHAR(36) NOT NULL,
    `actor` VARCHAR(300) NOT NULL,
    `action` VARCHAR(64) NOT NULL,
    `target` VARCHAR(400) NOT NULL,
    `details` MEDIUMTEXT NOT NULL,
    `address` VARCHAR(64) NOT NULL,

    INDEX `AuditEntry_actorId_id_idx`(`actorId`, `id`),
    INDEX `AuditEntry_target_id_idx`(`target`, `id`),
    INDEX `AuditEntry_action_id_idx`(`action`, `id`),
    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `Job` (
    `id` BIGINT NOT NULL,
    `number` VARCHAR(20) NOT NULL,
    `kind` VARCHAR(32) NOT NULL,
    `userId` VARCHAR(36) NOT NULL,
    `state` VARCHAR(16) NOT NULL DEFAULT 'queued',
    `done` INTEGER NOT NULL DEFAULT 0,
    `failed` INTEGER NOT NULL DEFAULT 0,
    `total` INTEGER NOT NULL DEFAULT 0,
    `input` MEDIUMTEXT NOT NULL,
    `result` MEDIUMTEXT NOT NULL,
    `error` VARCHAR(500) NOT NULL DEFAULT '',
    `createdAt` DATETIME(3) NOT NULL,
    `startedAt` DATETIME(3) NULL,
    `finishedAt` DATETIME(3) NULL,
    `leaseUntil` DATETIME(3) NULL,

    UNIQUE INDEX `Job_number_key`(`number`),
    INDEX `Job_state_id_idx`(`state`, `id`),
    INDEX `Job_userId_id_idx`(`userId`, `id`),
    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `JobItem` (
    `jobId` BIGINT NOT NULL,
    `position` INTEGER NOT NULL,
    `target` VARCHAR(400) NOT NULL,
    `outcome` VARCHAR(8) NOT NULL,
    `message` VARCHAR(500) NOT NULL DEFAULT '',

    PRIMARY KEY (`jobId`, `position`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE `JobFile` (
    `jobId` BIGINT NOT NULL,
    `part` INTEGER NOT NULL,
    `content` MEDIUMBLOB NOT NULL,

    PRIMARY KEY (`jobId`, `part`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
