import { createHash } from 'node:crypto'
import type { DatabaseGateway } from '@/lib/db/gateway'

/** The logo of each account: one, as `logoPng` made it. */

type Context = { db: DatabaseGateway }

/** Changes with a picture. */
export const versionOf = (png: Uint8Array) => createHash('sha256').update(png).digest('hex').slice(0, 16)

/** @returns a PNG, or null. @throws TerseError 'unavailable' */
export async function readLogo({ db }: Context, userId: string): Promise<Uint8Array | null> {
  const row = await db.read((client) => client.qrLogo.findUnique({ where: { userId } }))
  return row?.png ?? null
}

/** In place of the one before. @throws TerseError 'unavailable' */
export async function keepLogo({ db }: Context, userId: string, png: Uint8Array): Promise<void> {
  const content = { png: Buffer.from(png) }
  await db.write((client) => client.qrLogo.upsert({ where: { userId }, create: { userId, ...content }, update: content }))
}

/** @throws TerseError 'unavailable' */
export async function deleteLogo({ db }: Context, userId: string): Promise<void> {
  await db.write((client) => client.qrLogo.deleteMany({ where: { userId } }))
}
