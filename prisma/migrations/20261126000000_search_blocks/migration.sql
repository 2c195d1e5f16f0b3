-- Each step asks whether it was done: MySQL keeps the steps of an attempt that ended half-way.

-- By which links are found (lib/search). Filled behind the start.
CREATE TABLE IF NOT EXISTS `SearchBlock` (
    `id` BIGINT NOT NULL,
    `fromAt` DATETIME(3) NOT NULL,
    `fromId` BIGINT NOT NULL,
    `toAt` DATETIME(3) NOT NULL,
    `toId` BIGINT NOT NULL,
    `size` INTEGER NOT NULL,
    `current` INTEGER NOT NULL,
    `bytes` INTEGER NOT NULL,
    `firstId` BIGINT NOT NULL,
    `lastId` BIGINT NOT NULL,

    UNIQUE INDEX `SearchBlock_fromAt_fromId_key`(`fromAt`, `fromId`),
    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `SearchPart` (
    `block` BIGINT NOT NULL,
    `part` INTEGER NOT NULL,
    `content` MEDIUMBLOB NOT NULL,

    PRIMARY KEY (`block`, `part`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

-- What it replaces: kept in the transaction of each new link, which took a third of its time.
SET @step = IF((SELECT COUNT(*) FROM information_schema.COLUMNS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Link' AND COLUMN_NAME = 'searchText') = 1,
  'ALTER TABLE `Link` DROP INDEX `Link_searchText_idx`, DROP COLUMN `searchText`',
  'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;
