-- What happened to a link and when, to be read beside its clicks: a newsletter that was sent, a post.
CREATE TABLE IF NOT EXISTS `LinkNote` (
    `id` BIGINT NOT NULL,
    `linkId` BIGINT NOT NULL,
    `at` DATETIME(3) NOT NULL,
    `text` VARCHAR(140) NOT NULL,

    INDEX `LinkNote_linkId_at_idx`(`linkId`, `at`),
    PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
