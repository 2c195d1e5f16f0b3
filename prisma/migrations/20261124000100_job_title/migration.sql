-- What a job does, in words: lists show it without reading all that the job was told.
ALTER TABLE `Job` ADD COLUMN `title` VARCHAR(200) NOT NULL DEFAULT '' AFTER `kind`;
