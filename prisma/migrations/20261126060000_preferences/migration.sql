-- What an account chose for the app: the look of its list of links, the views it saved, whether single keys work.
CREATE TABLE IF NOT EXISTS `Preferences` (
    `userId` VARCHAR(36) NOT NULL,
    `look` VARCHAR(80) NULL,
    `singleKeys` BOOLEAN NULL,
    `views` MEDIUMTEXT NOT NULL,

    PRIMARY KEY (`userId`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
