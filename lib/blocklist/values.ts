/** What rules can be about, apart from their schemas: the browser needs these, and no zod with them. */

export const BLOCK_KINDS = ['host', 'suffix', 'word', 'client'] as const
