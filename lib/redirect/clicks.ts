import type { DatabaseGateway } from '@/lib/db/gateway'

/**
 * Takes one click of a link with a click limit. MySQL decides, so it is exact across all processes.
 * @returns false when the limit is reached
 */
export async function takeClick(db: DatabaseGateway, id: string): Promise<boolean> {
  const taken = await db.write(
    (client) => client.$executeRaw`UPDATE Link SET clicks = clicks + 1 WHERE id = ${BigInt(id)} AND clicks < maxClicks`,
  )
  return taken === 1
}

/** Whether a click could be taken, without taking it. */
export async function clicksLeft(db: DatabaseGateway, id: string): Promise<boolean> {
  const link = await db.read((client) =>
    client.link.findUnique({ where: { id: BigInt(id) }, select: { clicks: true, maxClicks: true } }),
  )
  return link !== null && (link.maxClicks === null || link.clicks < link.maxClicks)
}
