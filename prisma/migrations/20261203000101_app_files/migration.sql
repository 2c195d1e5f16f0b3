-- The files by which a domain names the apps that open its links (lib/domains/app-files.ts).
CREATE TABLE IF NOT EXISTS `DomainFile` (
    `domainId` INTEGER NOT NULL,
    `kind` TINYINT NOT NULL,
    `content` MEDIUMTEXT NOT NULL,

    PRIMARY KEY (`domainId`, `kind`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
