-- What visitors did after a click, as the owner of the link reports it (docs/decisions/0047-conversions.md).
CREATE TABLE IF NOT EXISTS `Conversion` (
    `linkId` BIGINT NOT NULL,
    `clickedAt` DATETIME(3) NOT NULL,
    `id` BIGINT NOT NULL,
    `event` BINARY(16) NOT NULL,
    `firstOf` BINARY(12) NULL,
    `destination` BINARY(6) NOT NULL,
    `at` DATETIME(3) NOT NULL,
    `name` VARCHAR(40) NOT NULL,
    `currency` VARCHAR(3) NOT NULL,
    `value` BIGINT NOT NULL,

    UNIQUE INDEX `Conversion_event_key`(`event`),
    UNIQUE INDEX `Conversion_firstOf_key`(`firstOf`),
    INDEX `Conversion_id_idx`(`id`),
    PRIMARY KEY (`linkId`, `clickedAt`, `id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

CREATE TABLE IF NOT EXISTS `ConversionRollup` (
    `linkId` BIGINT NOT NULL,
    `span` TINYINT NOT NULL,
    `hour` INTEGER NOT NULL,
    `destination` BINARY(6) NOT NULL,
    `name` VARCHAR(40) NOT NULL,
    `currency` VARCHAR(3) NOT NULL,
    `conversions` BIGINT NOT NULL,
    `converted` BIGINT NOT NULL,
    `value` DECIMAL(38, 0) NOT NULL,

    PRIMARY KEY (`linkId`, `span`, `hour`, `destination`, `name`, `currency`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
