import { Blocklist } from '@/lib/blocklist/blocklist'
import { CodeGenerator } from '@/lib/codes/generate'
import { DatabaseGateway } from '@/lib/db/gateway'
import { NodeLease } from '@/lib/db/node-lease'
import { Listeners } from '@/lib/events/listeners'
import { createIds } from '@/lib/ids/ids'
import { Turns } from '@/lib/tools/turns'
import type { TakeOver } from '@/lib/upstream/upstreams'
import type { LinkContext } from './context'
import { ImportMemories } from './import-memory'
import { UPLOADS } from './import-queue'
import { insertsTogether } from './insert'
import { takeOverBy } from './take-over'

/** What a process without the application has. */
type Parts = Pick<LinkContext, 'config' | 'domains' | 'limits' | 'log' | 'lookup' | 'metrics' | 'registry'> & {
  redis: Parameters<typeof createIds>[1]
}

/** MySQL connections: links come over one by one, and few in a second. */
const POOL = 2

export interface Alone {
  takeOver: TakeOver
  close(): Promise<void>
}

/**
 * What creates the links of an old shortener in a process that only redirects: loaded with the first of them, since Prisma takes
 * 50 MB. Ready once the blocklist was read.
 */
export async function takeOverAlone(parts: Parts): Promise<Alone> {
  const { config, log } = parts
  const db = new DatabaseGateway(config.DATABASE_URL, POOL)
  const blocklist = new Blocklist(db, log)
  const lease = new NodeLease(db)
  try {
    // Without its rules nothing may come over.
    await blocklist.refresh()
  } catch (error) {
    await db.close()
    throw error
  }
  await Promise.all([blocklist.start(), lease.start()])
  const ctx: LinkContext = {
    ...parts,
    ...{ db, blocklist },
    ids: createIds(config, parts.redis, db),
    codes: new CodeGenerator(config.APP_SECRET, config.CODE_LENGTH),
    inserts: insertsTogether(db),
    imports: new ImportMemories(),
    uploads: new Turns(UPLOADS),
    listeners: new Listeners(),
  }
  return {
    takeOver: takeOverBy(ctx),
    async close() {
      blocklist.close()
      lease.close()
      await db.close()
    },
  }
}
