-- An account that is being removed: `keep` or `delete`, for what becomes of its links. The work goes on by this mark
-- until the row itself goes.
ALTER TABLE `User` ADD COLUMN `removal` VARCHAR(8) NULL, ADD INDEX `User_removal_idx`(`removal`);

-- Public pages show the listed links of one account, among perhaps a million.
ALTER TABLE `Link` ADD INDEX `Link_ownerId_listed_id_idx`(`ownerId`, `listed`, `id`);
