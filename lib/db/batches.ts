/**
 * Rows in order of id, batch by batch, each read where the one before ended.
 * @param read the first rows whose id is greater than `after`, in order of id
 */
export async function* inBatches<Row extends { id: bigint }>(
  after: bigint,
  read: (after: bigint) => Promise<Row[]>,
): AsyncGenerator<{ rows: Row[]; lastId: bigint }, void> {
  for (let lastId = after; ; ) {
    const rows = await read(lastId)
    const last = rows.at(-1)
    if (!last) return
    lastId = last.id
    yield { rows, lastId }
  }
}
