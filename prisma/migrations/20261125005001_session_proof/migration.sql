-- When the one whose session it is last showed who they are (lib/accounts/proof.ts). None: when it began.
ALTER TABLE `Session` ADD COLUMN `provedAt` DATETIME(3) NULL;
