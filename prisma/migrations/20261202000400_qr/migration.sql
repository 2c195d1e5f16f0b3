-- Whether the short links of a domain give out their QR codes, and the logo that each account puts in its own
-- (docs/decisions/0045-qr.md).
SET @step = IF((SELECT COUNT(*) FROM information_schema.COLUMNS
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'Domain' AND COLUMN_NAME = 'qrCodes') = 0,
  'ALTER TABLE `Domain` ADD COLUMN `qrCodes` BOOLEAN NOT NULL DEFAULT false',
  'DO 0');
PREPARE step FROM @step;
EXECUTE step;
DEALLOCATE PREPARE step;

CREATE TABLE IF NOT EXISTS `QrLogo` (
    `userId` VARCHAR(36) NOT NULL,
    `png` MEDIUMBLOB NOT NULL,

    PRIMARY KEY (`userId`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
