import type { Account } from '@/lib/actor'
import type { Transaction } from '@/lib/db/client'
import { isUniqueViolation } from '@/lib/db/errors'
import type { DatabaseGateway } from '@/lib/db/gateway'
import type { Series as SeriesRow } from '@/lib/db/generated/client'
import { nextId } from '@/lib/db/id'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import type { Series } from './engine'
import { type CreateSeriesData, Definition, type SeriesView } from './schemas'
import { MAX_SERIES } from './values'

type Context = { db: DatabaseGateway }
type Owner = Pick<Account, 'id'>

/**
 * Creates a series. Of two requests for one name the first has it: the unique index decides.
 * @throws TerseError 'conflict' for a name that is taken, or one series too many; 'unavailable'
 */
export async function createSeries({ db }: Context, { id: ownerId }: Owner, input: CreateSeriesData): Promise<SeriesView> {
  const { name, ...definition } = input
  const series: Series = { id: nextId(), ownerId, name, definition, createdAt: new Date() }
  try {
    await db.atomicOf(ownerId, async (tx) => {
      if ((await tx.series.count({ where: { ownerId } })) >= MAX_SERIES) {
        throw new TerseError('conflict', say('api.series.tooMany', { most: MAX_SERIES }))
      }
      await tx.series.createMany({ data: [{ ...series, definition: JSON.stringify(definition) }] })
    })
  } catch (error) {
    if (!isUniqueViolation(error, 'Series_ownerId_name_key')) throw error
    const message = say('api.series.nameTaken', { name })
    throw new TerseError('conflict', message, { errors: [{ path: 'name', message }] })
  }
  return viewOf(series)
}

/** All series of an account, by name. @throws TerseError 'unavailable' */
export async function listSeries({ db }: Context, { id: ownerId }: Owner): Promise<SeriesView[]> {
  const rows = await db.read((client) => client.series.findMany({ where: { ownerId }, orderBy: { name: 'asc' } }))
  return rows.map((row) => viewOf(seriesOf(row, ownerId)))
}

/** @throws TerseError 'not_found' also for one of another account; 'unavailable' */
export async function findSeries({ db }: Context, { id: ownerId }: Owner, name: string): Promise<Series> {
  const row = await db.read((client) => client.series.findUnique({ where: { ownerId_name: { ownerId, name } } }))
  if (!row) throw noSeries()
  return seriesOf(row, ownerId)
}

/**
 * Deletes a series: its name is free at once, and its numbers are deleted later (lib/series/sweep.ts).
 * @throws TerseError 'not_found', 'unavailable'
 */
export async function deleteSeries({ db }: Context, { id: ownerId }: Owner, name: string): Promise<void> {
  const { count } = await db.write((client) => client.series.updateMany({ where: { ownerId, name }, data: { ownerId: null } }))
  if (count === 0) throw noSeries()
}

/** The same of all series of an account that goes. */
export async function letGoSeries(tx: Transaction, ownerId: string): Promise<void> {
  await tx.series.updateMany({ where: { ownerId }, data: { ownerId: null } })
}

export const noSeries = () => new TerseError('not_found', say('api.series.none'))

export function viewOf({ name, definition, createdAt }: Series): SeriesView {
  return { name, ...definition, createdAt: createdAt.toISOString() }
}

export function seriesOf({ id, name, definition, createdAt }: SeriesRow, ownerId: string): Series {
  return { id, ownerId, name, definition: Definition.parse(JSON.parse(definition)), createdAt }
}
