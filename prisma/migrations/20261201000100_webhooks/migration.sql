-- Webhooks: where an account wants to be told what happens to its links (lib/webhooks).
CREATE TABLE IF NOT EXISTS `Webhook` (
    `id` BIGINT NOT NULL,
    `ownerId` VARCHAR(36) NOT NULL,
    `url` VARCHAR(2048) NOT NULL,
    `events` INTEGER NOT NULL,
    `enabled` BOOLEAN NOT NULL DEFAULT true,
    `roll` INTEGER NOT NULL DEFAULT 0,
    `rolledAt` DATETIME(3) NULL,
    `failingSince` DATETIME(3) NULL,
    `failures` INTEGER NOT NULL DEFAULT 0,
    `turnedOffAt` DATETIME(3) NULL,
    `dueAt` DATETIME(3) NULL,
    `leaseUntil` DATETIME(3) NULL,
    `createdAt` DATETIME(3) NOT NULL,

    INDEX `Webhook_ownerId_id_idx`(`ownerId`, `id`),
    INDEX `Webhook_enabled_ownerId_events_idx`(`enabled`, `ownerId`, `events`),
    INDEX `Webhook_dueAt_idx`(`dueAt`),
    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- What happened and no webhook has been told yet: written with the change itself (lib/events).
CREATE TABLE IF NOT EXISTS `EventOutbox` (
    `id` BINARY(16) NOT NULL,
    `ownerId` VARCHAR(36) NOT NULL,
    `kind` TINYINT NOT NULL,
    `linkId` BIGINT NULL,
    `data` MEDIUMTEXT NOT NULL,
    `size` INTEGER NOT NULL DEFAULT 1,
    `createdAt` DATETIME(3) NOT NULL,

    INDEX `EventOutbox_kind_ownerId_id_idx`(`kind`, `ownerId`, `id`),
    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- What webhooks are told.
CREATE TABLE IF NOT EXISTS `WebhookEvent` (
    `id` BINARY(16) NOT NULL,
    `kind` TINYINT NOT NULL,
    `body` MEDIUMBLOB NOT NULL,

    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- Which webhook is told what, and what became of it.
CREATE TABLE IF NOT EXISTS `WebhookDelivery` (
    `webhookId` BIGINT NOT NULL,
    `eventId` BINARY(16) NOT NULL,
    `kind` TINYINT NOT NULL,
    `state` TINYINT NOT NULL DEFAULT 0,
    `attempts` INTEGER NOT NULL DEFAULT 0,
    `nextAt` DATETIME(3) NULL,
    `giveUpAt` DATETIME(3) NOT NULL,
    `triedAt` DATETIME(3) NULL,
    `took` INTEGER NULL,
    `status` SMALLINT NULL,
    `failure` VARCHAR(16) NOT NULL DEFAULT '',
    `answer` VARCHAR(1000) NOT NULL DEFAULT '',

    INDEX `WebhookDelivery_webhookId_state_nextAt_idx`(`webhookId`, `state`, `nextAt`),
    INDEX `WebhookDelivery_eventId_idx`(`eventId`),
    PRIMARY KEY (`webhookId`, `eventId`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
