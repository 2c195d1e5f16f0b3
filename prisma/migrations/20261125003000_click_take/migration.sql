-- Takes of click limits, written with what they take, so that one whose answer was lost can be given back.
CREATE TABLE IF NOT EXISTS `ClickTake` (
    `id` BINARY(16) NOT NULL,

    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
