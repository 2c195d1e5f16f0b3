-- Deleted links are listed by whom a token says they belong to, and by domain, the last deleted first.
ALTER TABLE `DeletedLink`
    ADD INDEX `DeletedLink_manageTokenHash_deletedAt_idx`(`manageTokenHash`, `deletedAt`),
    ADD INDEX `DeletedLink_domainId_deletedAt_idx`(`domainId`, `deletedAt`);

-- Invitations that nobody used are swept; those that were used stay, and were read each time.
ALTER TABLE `Invitation` ADD INDEX `Invitation_usedBy_expiresAt_idx`(`usedBy`, `expiresAt`), DROP INDEX `Invitation_expiresAt_idx`;

-- Accounts are listed by whether they are banned, and keys that have had their time are deleted whenever one is used.
ALTER TABLE `User` ADD INDEX `User_banned_createdAt_idx`(`banned`, `createdAt`);
ALTER TABLE `ApiKey` ADD INDEX `ApiKey_expiresAt_idx`(`expiresAt`);
