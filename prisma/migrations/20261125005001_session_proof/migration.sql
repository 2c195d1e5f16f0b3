-- When the one whose session it is last showed who they are (lib/accounts/proof.ts). None: when it began.
ALTER TABLE `Session` ADD COLUMN `provedAt` DATETIME(3) NULL;

-- From here on no session is prolonged beyond 90 days after it began (lib/accounts/hooks.ts).
UPDATE `Session` SET `expiresAt` = LEAST(`expiresAt`, `createdAt` + INTERVAL 90 DAY);
