import type { DatabaseGateway } from '@/lib/db/gateway'

/**
 * Takes one click of a link with a click limit. MySQL decides, so it is exact across all processes.
 * @returns false when the limit is reached
 */
export async function takeClick(db: DatabaseGateway, id: string): Promise<boolean> {
  return (await db.change('UPDATE Link SET taken = taken + 1 WHERE id = ? AND taken < maxClicks', id)) === 1
}

/** Whether a click could be taken, without taking it. */
export async function clicksLeft(db: DatabaseGateway, id: string): Promise<boolean> {
  const rows = await db.rows('SELECT id FROM Link WHERE id = ? AND (maxClicks IS NULL OR taken < maxClicks)', id)
  return rows.length === 1
}
