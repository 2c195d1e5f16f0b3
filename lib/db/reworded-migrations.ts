/**
 * SHA-256 checksums of the former texts of migrations that were reworded after some databases had applied them, by name.
 * Only a text that leaves the same database behind may replace another, and it begins by removing what a failed
 * attempt of the former one left. A change of what a migration does is a new migration.
 */
export const FORMER_CHECKSUMS: Readonly<Record<string, readonly string[]>> = {
  // Grouped in a way that MySQL refuses and MariaDB took.
  '20261124000700_daily_totals': ['a51689d81dc0f5e10a1a514428ddbd540dbee41bdf03e41e98204b7e369a3821'],
}
