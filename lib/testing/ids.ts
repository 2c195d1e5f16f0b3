import { randomUUID } from 'node:crypto'
import { isUniqueViolation } from '@/lib/db/errors'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { nextId } from '@/lib/db/id'
import type { Ids } from '@/lib/ids/ids'
import type { NumberSource } from '@/lib/ids/system'
import * as system from '@/lib/ids/system'
import { HOST, linkRow } from './links'

/** Runs an INSERT; false when the index refused it. */
async function unlessTaken(index: string, insert: Promise<unknown>): Promise<boolean> {
  try {
    await insert
    return true
  } catch (error) {
    if (isUniqueViolation(error, index)) return false
    throw error
  }
}

/** An account with this handle; false when another has it. */
export function insertAccount({ client }: DatabaseGateway, handle: string): Promise<boolean> {
  const [id, now] = [randomUUID(), new Date()]
  const data = { id, name: 'Someone', email: `${id}@example.com`, emailVerified: true, handle, createdAt: now, updatedAt: now }
  return unlessTaken('User_handle_key', client.user.create({ data }))
}

/** A link with this spoken code; false when one has it that is alive or rests. */
export async function insertSpoken({ client }: DatabaseGateway, code: string, expiresAt: Date, grace: number): Promise<boolean> {
  const rested = new Date(Date.now() - grace)
  await client.link.deleteMany({ where: { fullShortUrl: `${HOST}/${code}`, expiresAt: { lte: rested } } })
  return unlessTaken('Link_fullShortUrl_key', client.link.create({ data: linkRow({ code, expiresAt }) }))
}

export function insertReport({ client }: DatabaseGateway, reference: string): Promise<boolean> {
  const texts = { url: 'https://example.com/', reason: 'spam', details: '', answer: '' }
  const data = { id: nextId(), reference, fullShortUrl: `${HOST}/x`, createdAt: new Date(), ...texts }
  return unlessTaken('Report_reference_key', client.report.create({ data }))
}

export function insertJob({ client }: DatabaseGateway, number: string): Promise<boolean> {
  const data = { id: nextId(), number, kind: 'export', userId: 'nobody', input: '', result: '', createdAt: new Date() }
  return unlessTaken('Job_number_key', client.job.create({ data }))
}

/** As `insertUnique` of the app, for an insert that says only whether the number was free. @returns the number */
export const insertUnique = (source: NumberSource, insert: (number: string) => Promise<boolean>): Promise<string> =>
  system.insertUnique(source, '', async (number) => ((await insert(number)) ? number : null))

/** Whether no system of ids lacks anything that MySQL has, as far as it knows. */
export async function inStep({ handles, spoken, references, jobs }: Ids): Promise<boolean> {
  const stale = await Promise.all([handles, spoken, references, jobs].map((system) => system.isStale()))
  return !stale.includes(true)
}
