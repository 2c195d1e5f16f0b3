import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { SqlGateway } from '@/lib/db/sql-gateway'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { hashPassword, isOwnHash, verifyPassword } from '@/lib/tools/password'
import { BusyError } from '@/lib/tools/turns'
import type { LinkRecord } from './record'

/** Hashes that were replaced lately: what is cached of their links may still hold the old ones. */
const KEPT = 5_000

type Protected = Pick<LinkRecord, 'id' | 'passwordHash'>

function asRefusal(cause: unknown): never {
  if (!(cause instanceof BusyError)) throw cause
  throw new TerseError('unavailable', say('api.request.busy'), { retryAfter: 5, cause })
}

/**
 * Compares what visitors enter with the passwords of links. A hash that another system made is replaced by one of ours at the
 * first right password. The link's version stays: nothing changed that anyone can see, and caches may go on with either hash.
 */
export class LinkPasswords {
  private readonly renewed = new LRUCache<string, string>({ max: KEPT })

  constructor(
    private readonly db: Pick<SqlGateway, 'change'>,
    private readonly log: Pick<Logger, 'warn'>,
  ) {}

  /**
   * Whether `password` opens the link; false for a link that has none.
   * @param client by which it is limited
   * @throws TerseError 'unavailable' when too many passwords of imported links are waiting to be compared
   */
  async isRight({ id, passwordHash }: Protected, password: string, client: string): Promise<boolean> {
    if (passwordHash === null || password.length > 256) return false
    const known = this.renewed.get(passwordHash) ?? passwordHash
    if (!(await verifyPassword(known, password, client).catch(asRefusal))) return false
    if (!isOwnHash(known)) await this.renew(id, known, password)
    return true
  }

  /** Where this fails the old hash stays, and the next right password tries again. */
  private async renew(id: string, old: string, password: string): Promise<void> {
    try {
      const hash = await hashPassword(password)
      // Somebody may have set another password meanwhile: that one stays.
      await this.db.change('UPDATE Link SET passwordHash = ? WHERE id = ? AND passwordHash = ?', hash, BigInt(id), old)
      this.renewed.set(old, hash)
    } catch (err) {
      this.log.warn({ err, link: id }, 'the password of an imported link keeps its old hash for now')
    }
  }
}
