/** What the APIs of other shorteners read of a query or a body, by name: for tests that send them anything. */
export const FOREIGN_FIELDS: readonly string[] = [
  'url longUrl target tags tags[] orderBy page itemsPerPage limit skip startDate maxVisits redirectRules action format callback',
  'shorturl customSlug domain expire_in search reuse password customurl address validSince validUntil tagsMode searchTerm oldName',
  'long_url bitlink_id custom_bitlink keyword title deeplinks expiration_at archived force_new_link unit units unit_reference size',
  'search_after query created_after created_before key tagId tagIds tagNames folderId items data linkIds geo ios android',
  'testVariants testCompletedAt proxy description image comments expiresAt expiredUrl utm_source groupBy interval timezone start',
  'end event country device linkId startingAfter endingBefore sortBy sortOrder pageSize name slug notFoundUrl fgColor level margin',
].flatMap((line) => line.split(' '))
