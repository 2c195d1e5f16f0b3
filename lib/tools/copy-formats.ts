/** What a nightly copy can hold: the formats of lib/leaving/export-file.ts, which a test compares. */
export const COPY_FORMATS = [
  ...['jsonl', 'json', 'csv'],
  ...['nginx', 'apache', 'redirects', 's3-rules', 's3-objects', 'node'],
] as const
