import type { SqlGateway } from '@/lib/db/sql-gateway'
import type { RedisGateway } from '@/lib/redis/gateway'
import type { Definition } from './schemas'

/** A series as it is stored. */
export interface Series<D extends Definition = Definition> {
  id: bigint
  ownerId: string
  name: string
  definition: D
  createdAt: Date
}

/**
 * Numbers that were drawn and are to be written down. A position says which number of its series, or of its day, one is: from 0
 * on, each once.
 */
export interface Batch {
  positions: readonly number[]
  /** The UTC day as `yyyyMMdd`; 0 where numbers are not by day. */
  day: number
  /** When they were drawn, in ms since 1970. */
  at: number
  /** When they may come again, in ms since 1970; null: never. */
  freeAt: number | null
}

/** What lies ahead. */
export interface Outlook {
  /** Numbers that can still be drawn; null: no end, or not known. */
  left: number | null
  /** Numbers after which it begins again at its start; null: never. */
  untilRestart: number | null
  /** Of how many numbers these are; null: no end. */
  size: number | null
}

/** Numbers, and what lies ahead once they were drawn. */
export type Draw = Batch & Outlook

export interface EngineContext {
  redis: RedisGateway
  db: SqlGateway
  secret: string
}

/** Gives the numbers of one series, whatever its kind. */
export interface Engine {
  /**
   * The next numbers, all or none, by one script. They are not in MySQL yet, whose unique index has the last word.
   * @param attempt 0, and one more after each time that MySQL had one of them already
   * @throws TerseError 'conflict' or 'unavailable' when there are too few
   */
  draw(count: number, at: Date, attempt: number): Promise<Draw>
  /** Told of numbers that MySQL had already: Redis is told of them, and of what else it may have missed. */
  taken(batch: Batch): Promise<void>
  /** The numbers that would be next, without drawing them. */
  look(count: number, at: Date): Promise<Draw>
  /** The number of a position. @param day of `Batch` */
  numberOf(position: number, day: number): number
  /** Removes what Redis has. @throws when Redis cannot be asked */
  forget(): Promise<void>
}

/** The hash tag of all keys of a series. */
export const tagOf = ({ id }: Pick<Series, 'id'>) => `{series:${id}}`
