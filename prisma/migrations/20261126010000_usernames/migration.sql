-- Names that accounts choose for the addresses of their public pages, beside the number that stays.
CREATE TABLE IF NOT EXISTS `TakenUsername` (
    `id` BINARY(32) NOT NULL,
    `userId` VARCHAR(36) NULL,
    `freedAt` DATETIME(3) NULL,

    INDEX `TakenUsername_userId_idx`(`userId`),
    INDEX `TakenUsername_freedAt_idx`(`freedAt`),
    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;

SET @step = IF((SELECT COUNT(*) FROM information_schema.COLUMNS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'User' AND COLUMN_NAME = 'username') = 0,
  'ALTER TABLE `User` ADD COLUMN `username` VARCHAR(30) NULL',
  'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;
