/**
 * SHA-256 checksums of the former texts of migrations that were reworded after some databases had applied them, by name.
 * Only a text that leaves the same database behind may replace another, and it begins by removing what a failed
 * attempt of the former one left. A change of what a migration does is a new migration.
 */
export const FORMER_CHECKSUMS: Readonly<Record<string, readonly string[]>> = {
  // Grouped in a way that MySQL refuses and MariaDB took.
  '20261124000700_daily_totals': ['a51689d81dc0f5e10a1a514428ddbd540dbee41bdf03e41e98204b7e369a3821'],
  // Their steps did not ask whether they had been done, so that an attempt that ended half-way could not be gone on with.
  '20261125000100_list_indexes': ['98b22cda453b40a6211360fe9858ff3e619faabd0d773385a2d7ca27079faac9'],
  '20261125003000_click_take': ['e4d77cd60112d4f2b126c180d97444481d02c0d5abd981088653847c2c01ffe4'],
  '20261125004000_job_turns': ['380da4afb9a222440245c956458561f5bd5bc442192e4f6e21e8c8da4723c9f7'],
  '20261125004010_id_nodes': ['68819cf437d4533fd1ff986e290583e6a12fde0792eb309f26421453a3a89da0'],
  '20261125004020_state_before_ban': ['afe550bc8d4428103c4a8d4d2c143fb0399cf212533089bdc213aa1fed1e7014'],
  '20261125005001_session_proof': ['bb3b194539a698b278f73fb73423f55fe80005028498a99128e67ef0504ecdc9'],
}
