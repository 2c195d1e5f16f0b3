-- Which process makes ids with which node, and up to which time it may (lib/db/node-lease.ts).
CREATE TABLE IF NOT EXISTS `IdNode` (
    `node` INTEGER NOT NULL,
    `reservedTo` BIGINT NOT NULL,

    PRIMARY KEY (`node`)
) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
