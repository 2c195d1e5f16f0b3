-- What a link was before it was banned, and is again when the ban is lifted.
ALTER TABLE `Link` ADD COLUMN `stateBeforeBan` VARCHAR(16) NOT NULL DEFAULT '';
