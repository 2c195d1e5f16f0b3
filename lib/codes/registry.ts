import type { RedisGateway } from '@/lib/redis/gateway'
import { DAY } from '@/lib/tools/time'
import { Together } from '@/lib/tools/together'
import { codeScripts } from './scripts'
import { type HashedCode, hashCode, SHARDS, scoreOf, shardKeys, shardOf } from './shards'

/** Channel on which every change of a link is published (lib/codes/lua/prelude-changes.lua says how). */
export const CHANGES_CHANNEL = 'terse:changed'

/** How long Redis keeps a link's record, in ms; a tenth is added at random so that they do not end together. */
const RECORD_LIFETIME = DAY
/** No record is older than this. */
export const OLDEST_RECORD = RECORD_LIFETIME * 1.1
/** Codes of one call: while Redis looks at them it does nothing else. */
const TOGETHER = 64

/**
 * 'claimed': ours, insert it. 'reclaimed': the same, after a link that was deleted. 'maybe': exists, or the filter errs.
 * 'quarantined': freed too recently. 'unknown': Redis cannot say; MySQL decides alone.
 */
export type Claim = 'claimed' | 'reclaimed' | 'maybe' | 'quarantined' | 'unknown'
/** What became of one code. */
export interface Claimed {
  claim: Claim
  /** Of the last change of the code's shard before MySQL was asked; null when Redis did not say. */
  number: number | null
}
/** As the script says it. */
const CLAIMS: Record<number, Claim> = { 1: 'claimed', 2: 'reclaimed', 0: 'maybe', [-1]: 'quarantined' }

export interface RegistryAnswer {
  /** Whether the filter and the record may be believed, as far as this Redis knows. */
  trusted: boolean
  record: string | null
  mayExist: boolean
}

interface ReadersCopy {
  full: string
  shard: number
  value: string
  number: number
}

export interface Change {
  full: string
  /** Version (19 digits) and record, as lib/redirect/record.ts encodes them. */
  value: string
  /** When the code was freed (ms), or null while it is in use. */
  freedAt: number | null
}

/** A code that was claimed and inserted. */
export interface NewCode {
  full: string
  /** Of its link when it was inserted. */
  version: bigint
}

/** A filter, or the one that is to follow it, is not there any more: Redis was emptied, or restarted. */
export class FilterLostError extends Error {
  override readonly name = 'FilterLostError'
}

/** Codes as Redis knows them: which exist, which are freed, and the record of each recently used link. */
export class Registry {
  private readonly lookups: (shard: number) => Together<HashedCode, RegistryAnswer>
  private readonly fills: (shard: number) => Together<ReadersCopy>

  constructor(
    private readonly redis: RedisGateway,
    private readonly quarantine: number,
  ) {
    this.lookups = this.inEachPlace((codes) => this.lookupAll(codes))
    this.fills = this.inEachPlace((copies) => this.fillAll(copies))
  }

  /** Work on the codes of one turn: one call for all shards, or, of a cluster, for each. */
  private inEachPlace<Item, Result>(work: (items: Item[]) => Promise<readonly Result[]>) {
    const places = Array.from(
      { length: this.redis.isCluster ? SHARDS : 1 },
      () => new Together<Item, Result>({ most: TOGETHER, work }),
    )
    return (shard: number) => places[shard % places.length] as Together<Item, Result>
  }

  /** What was freed before this time (ms; -Infinity: nothing) may be taken again. */
  quarantineBegin(now: number): number {
    return now - this.quarantine
  }

  /** True when Redis did not answer several times in a row, and is only tried now and then. */
  get isAway(): boolean {
    return this.redis.breakerState !== 'closed'
  }

  /** Takes codes, in one round trip a shard. Never throws: without Redis all are 'unknown'. */
  async claim(fulls: string[], now = Date.now()): Promise<Claim[]> {
    const claims: Claim[] = fulls.map(() => 'unknown')
    const byShard = new Map<number, { index: number; code: HashedCode }[]>()
    fulls.forEach((full, index) => {
      const code = hashCode(full)
      const group = byShard.get(code.shard)
      if (group) group.push({ index, code })
      else byShard.set(code.shard, [{ index, code }])
    })
    await Promise.all(
      [...byShard].map(async ([shard, group]) => {
        const answer = await this.claimIn(
          shard,
          group.map(({ code }) => code),
          now,
        )
        group.forEach(({ index }, position) => {
          claims[index] = answer.claims[position] ?? 'unknown'
        })
      }),
    )
    return claims
  }

  /** Takes one code. @returns with it the number of the last change of its shard, as `lastChange` says it. Never throws */
  async claimOne(full: string, now = Date.now()): Promise<Claimed> {
    const code = hashCode(full)
    const { claims, number } = await this.claimIn(code.shard, [code], now)
    return { claim: claims[0] ?? 'unknown', number }
  }

  /** Takes codes of one shard. */
  private async claimIn(shard: number, codes: HashedCode[], now: number): Promise<{ claims: Claim[]; number: number | null }> {
    const keys = shardKeys(shard)
    try {
      const [number, ...answers] = await this.redis.script(
        codeScripts.claim,
        [keys.bloom, keys.marker, keys.next, keys.nextMarker, keys.freed, keys.changes],
        [scoreOf(this.quarantineBegin(now)), this.redis.serverId, ...codes.flatMap(({ full, h1, h2 }) => [full, h1, h2])],
      )
      return { claims: answers.map((answer) => CLAIMS[answer] ?? 'unknown'), number: number === null ? null : Number(number) }
    } catch {
      // Redis is an accelerator: the unique index decides.
      return { claims: [], number: null }
    }
  }

  /**
   * The number of the last change of a code's shard, for who is about to write its link; null when Redis does not say. Never
   * throws.
   */
  async lastChange(full: string): Promise<number | null> {
    const { changes } = shardKeys(shardOf(full))
    const number = await this.redis.use((client) => client.get(changes)).catch(() => null)
    return number === null ? null : Number(number)
  }

  /** What Redis knows of a code; those of one turn are asked for together. @throws when Redis cannot be asked */
  lookup(full: string): Promise<RegistryAnswer> {
    const code = hashCode(full)
    return this.lookups(code.shard).add(code)
  }

  private async lookupAll(codes: readonly HashedCode[]): Promise<RegistryAnswer[]> {
    const keys: string[] = []
    const args: (string | number)[] = []
    for (const { full, shard, h1, h2 } of codes) {
      const { bloom, marker, record } = shardKeys(shard)
      keys.push(bloom, marker, record(full))
      args.push(full, h1, h2)
    }
    args.push(this.redis.serverId)
    const reply = await this.redis.script(codeScripts.lookup, keys, args)
    return codes.map((_, i) => ({
      trusted: reply[3 * i] === 1,
      record: reply[3 * i + 1] as string | null,
      mayExist: reply[3 * i + 2] === 1,
    }))
  }

  /**
   * A reader's copy, kept only where no writer was first; those of one turn go together.
   * @param number of the last change of its shard (lib/redirect/feeds.ts) that was known before MySQL was asked
   * @throws when Redis cannot be asked
   */
  fill(full: string, value: string, number: number): Promise<void> {
    const shard = shardOf(full)
    return this.fills(shard).add({ full, shard, value, number })
  }

  private async fillAll(copies: readonly ReadersCopy[]): Promise<Array<void>> {
    const keys = copies.flatMap(({ full, shard }) => {
      const { bloom, marker, record, changes } = shardKeys(shard)
      return [bloom, marker, record(full), changes]
    })
    const args = copies.flatMap(({ value, number }) => [value, lifetime(), number])
    await this.redis.script(codeScripts.fill, keys, [...args, this.redis.serverId])
    return []
  }

  /**
   * A committed change. It takes the place of an older record; where there is none, it is kept as a reader's copy is.
   * @param number of the last change of its shard that was known before MySQL was asked, or null: the first reader fills an empty
   *   place
   * @param over a record that is to go although it is newer
   * @param isBackground nobody waits for it: a slow Redis is given time
   * @returns false when Redis holds a newer record, which stays
   * @throws when Redis did not take it; the change is then not known there
   */
  async publish(change: Change, number: number | null, { over = '', isBackground = false } = {}): Promise<boolean> {
    const { shard, h1, h2 } = hashCode(change.full)
    const keys = shardKeys(shard)
    const names = [keys.bloom, keys.marker, keys.next, keys.nextMarker, keys.freed, keys.record(change.full), keys.changes]
    const { full, value, freedAt } = change
    const values = [full, h1, h2, value, lifetime(), freedAt ?? '', CHANGES_CHANNEL, shard, number ?? '', over]
    const kept = await this.redis[isBackground ? 'bulk' : 'script'](codeScripts.publish, names, values)
    return kept === 1
  }

  /**
   * Removes the record of a link that MySQL does not know.
   * @param value only if it is still that; '': whatever it is, and every process is told even if there is none
   * @throws when Redis cannot be asked
   */
  async forget(full: string, value: string): Promise<void> {
    const shard = shardOf(full)
    const keys = shardKeys(shard)
    await this.redis.script(codeScripts.forget, [keys.record(full), keys.changes], [value, CHANGES_CHANNEL, shard, full])
  }

  /**
   * Codes that were claimed and are in MySQL now. They are added once more, since a restart or a rebuild may have
   * come between; what a former link of the same code left behind is forgotten.
   * @throws when Redis did not take it
   */
  async announceMany(codes: readonly NewCode[]): Promise<void> {
    const entries = codes.map(({ full }) => ({ full, freedAt: null }))
    // The coming filter first: if it takes the place of the current one meanwhile, the second addition goes to it. There is
    // one only for the time of a rebuild, and one that begins from now on reads these codes in MySQL.
    await this.add(entries, 'next').catch((error: unknown) => {
      if (!(error instanceof FilterLostError)) throw error
    })
    await this.add(entries, 'current')
    const byShard: NewCode[][] = Array.from({ length: SHARDS }, () => [])
    for (const code of codes) byShard[shardOf(code.full)]?.push(code)
    await Promise.all(
      byShard.map(async (some, shard) => {
        if (some.length === 0) return
        const keys = shardKeys(shard)
        const fulls = some.map(({ full }) => full)
        const versions = some.map(({ version }) => version.toString().padStart(19, '0'))
        const args = [CHANGES_CHANNEL, shard, fulls.join('\n'), ...versions]
        await this.redis.bulk(codeScripts.announce, [keys.changes, ...fulls.map(keys.record)], args)
      }),
    )
  }

  /**
   * Adds codes to the current or the coming generation of the filter, and freed ones to the freed set.
   * @throws when Redis did not take a batch; FilterLostError when nothing worse happened than that a shard's filter is gone
   */
  async add(entries: { full: string; freedAt: number | null }[], generation: 'current' | 'next'): Promise<void> {
    const byShard: (string | number)[][] = Array.from({ length: SHARDS }, () => [])
    for (const { full, freedAt } of entries) {
      const { shard, h1, h2 } = hashCode(full)
      byShard[shard]?.push(full, h1, h2, freedAt ?? '')
    }
    const results = await Promise.allSettled(
      byShard.map(async (args, shard) => {
        if (args.length === 0) return
        const keys = shardKeys(shard)
        const [filter, marker] = generation === 'current' ? [keys.bloom, keys.marker] : [keys.next, keys.nextMarker]
        const added = await this.redis.bulk(codeScripts.add, [filter, marker, keys.freed], args)
        if (added === 0) throw new FilterLostError(`the filter of shard ${shard} is gone`)
      }),
    )
    const errors: unknown[] = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    if (errors.length > 0) throw errors.find((error) => !(error instanceof FilterLostError)) ?? errors[0]
  }
}

const lifetime = () => Math.round(RECORD_LIFETIME * (1 + Math.random() / 10))
