import { randomUUID } from 'node:crypto'
import { resolve } from 'node:path'
import type { Config } from '@/lib/config'
import { databaseNow, hasCome, NOW } from '@/lib/db/time'
import type { LinkContext } from '@/lib/links/context'
import { errorWords } from '@/lib/log'
import { parseBucketUrl } from '@/lib/tools/bucket-url'
import { Background, Loop } from '@/lib/tools/loop'
import { DAY } from '@/lib/tools/time'
import { type CopyTarget, FolderTarget } from './copy-target'
import { exportFile, type FileFormat } from './export-file'
import { S3Target } from './s3-target'
import type { Holder } from './write-file'

/** How often a process looks whether a copy is due, in ms. */
const INTERVAL = 20_000
/** For how long one process alone is at it, unless it says that it goes on, and how often it does; in seconds and ms. */
export const LEASE = 60
const RENEWAL = 15_000
/** After a copy that failed, in seconds. */
export const RETRY = 300

interface Row {
  night: string
  finishedAt: Date | null
  bytes: bigint
  failedAt: Date | null
  failure: string
}

/** How nightly copies are going. */
export interface CopyState extends Row {
  /** A folder, or the address of a bucket. */
  to: string
  /** When the next one is due. */
  nextAt: Date
}

type Context = Pick<LinkContext, 'config' | 'db' | 'domains' | 'log' | 'metrics'>

/** The night whose time has come last: the day on which it did, in UTC. @param at as COPY_AT. @param now ms since 1970 */
export function nightOf(at: string, now: number): string {
  const [hours = 0, minutes = 0] = at.split(':').map(Number)
  return new Date(now - (hours * 60 + minutes) * 60_000).toISOString().slice(0, 10)
}

const timeOf = (at: string, night: string): number => Date.parse(`${night}T${at}:00Z`)

/** What a process that was killed was writing (./write-file.ts). */
const PART = /^\d{4}-\d\d-\d\d-(?:terse-[\w.-]+|_redirects)\.gz(?:\.[\da-f-]{36})?\.part$/

/** What of the files at a target is of which night; null: it is none of ours. */
const nightIn = (name: string): string | null => /^(\d{4}-\d\d-\d\d)-(?:terse-[\w.-]+|_redirects)\.gz$/.exec(name)?.[1] ?? null

/**
 * Whether the copy of a night is still to be made. What is further ahead than a time of the day can be moved was written before
 * the clock was set back.
 */
const isDue = (last: string, night: string) => last < night || last > dayAfter(night)
const dayAfter = (night: string) => new Date(Date.parse(night) + DAY).toISOString().slice(0, 10)

/** How nightly copies are going; null where there are to be none. @throws TerseError 'unavailable' */
export async function copyState({ config, db }: Pick<Context, 'config' | 'db'>, now: number): Promise<CopyState | null> {
  if (config.COPY_TO === undefined) return null
  const [row] = await db.rows<Row>('SELECT night, finishedAt, bytes, failedAt, failure FROM NightlyCopy WHERE id = 1')
  if (!row) return null
  const due = timeOf(config.COPY_AT, nightOf(config.COPY_AT, now))
  return { ...row, to: config.COPY_TO, nextAt: new Date(isDue(row.night, nightOf(config.COPY_AT, now)) ? due : due + DAY) }
}

/**
 * Puts a copy of all links to a folder or into a bucket once a night, and deletes the oldest ones. Of all processes one does it,
 * and another goes on if that one dies. A night that nobody was up is made up for.
 */
export class NightlyCopy extends Background {
  /** When the last one was finished, in seconds since 1970, as far as this process knows. 0: never. */
  private finishedAt = 0
  private failures = 0
  private readonly stopping = new AbortController()
  protected readonly loop = new Loop({
    every: INTERVAL,
    jitter: 0.3,
    run: () => this.look(),
    onFailure: (err) => this.ctx.log.debug({ err }, 'the nightly copy waits for the database'),
  })

  constructor(
    private readonly ctx: Context,
    private readonly target: CopyTarget | null = targetOf(ctx.config),
  ) {
    super()
    if (!target) return
    ctx.metrics.gauge(
      'nightly_copy_finished_seconds',
      'When the last nightly copy was finished, as Unix time; 0: never',
      () => this.finishedAt,
    )
    ctx.metrics.gauge(
      'nightly_copy_failures',
      'Tries of this process that failed since its last nightly copy',
      () => this.failures,
    )
  }

  override async start(): Promise<void> {
    if (this.target) this.loop.startLater()
  }

  override close(): void {
    this.stopping.abort()
    super.close()
  }

  /**
   * Makes the copy if it is due and nobody else does.
   * @param at default: the database's clock, since processes whose own are apart would take turns to make it
   * @returns whether it did
   * @throws TerseError 'unavailable'
   */
  async look(at?: number): Promise<boolean> {
    const { config, db } = this.ctx
    if (!this.target) return false
    const now = at ?? (await databaseNow(db))
    const state = await copyState(this.ctx, now)
    if (!state) return false
    this.finishedAt = Math.round((state.finishedAt?.getTime() ?? 0) / 1_000)
    const night = nightOf(config.COPY_AT, now)
    if (!isDue(state.night, night)) return false
    const holder = randomUUID()
    const taken = await db.change(
      `UPDATE NightlyCopy SET holder = ?, leaseUntil = ${NOW} + INTERVAL ${LEASE} SECOND
        WHERE id = 1 AND (night < ? OR night > ?) AND ${hasCome('leaseUntil', RETRY)}`,
      ...[holder, night, dayAfter(night)],
    )
    if (taken === 0) return false
    await this.copy(this.target, { night, holder, now })
    return true
  }

  private async copy(target: CopyTarget, { night, holder, now }: { night: string; holder: string; now: number }): Promise<void> {
    const { db, log, config } = this.ctx
    const lost = new AbortController()
    const renew = async () => {
      const lease = `UPDATE NightlyCopy SET leaseUntil = ${NOW} + INTERVAL ${LEASE} SECOND WHERE id = 1 AND holder = ?`
      if ((await db.change(lease, holder)) === 0) lost.abort(new Error('another process has taken over'))
    }
    const renewal = new Loop({ every: RENEWAL, run: renew })
    // A process that stood still learns here that another has the file.
    const confirm = async () => {
      await renew()
      lost.signal.throwIfAborted()
    }
    const signal = AbortSignal.any([this.stopping.signal, lost.signal])
    try {
      const bytes = await renewal.during(() => this.write(target, { night, now }, signal, { id: holder, confirm }))
      await db.change(
        `UPDATE NightlyCopy SET night = ?, finishedAt = ${NOW}, bytes = ?, failedAt = NULL, failure = '', leaseUntil = NULL
          WHERE id = 1 AND holder = ?`,
        ...[night, bytes, holder],
      )
      this.finishedAt = Math.round(Date.now() / 1_000)
      this.failures = 0
      log.info({ night, bytes }, 'nightly copy: finished')
      await this.dropOld(target, config.COPY_KEEP, signal)
    } catch (err) {
      this.failures += 1
      log.error({ err, night }, 'nightly copy: failed')
      await db.change(
        `UPDATE NightlyCopy SET failedAt = ${NOW}, failure = ?, leaseUntil = ${NOW} + INTERVAL ${RETRY} SECOND WHERE id = 1 AND holder = ?`,
        ...[errorWords(err).slice(0, 500), holder],
      )
    }
  }

  private async write(
    target: CopyTarget,
    { night, now }: { night: string; now: number },
    signal: AbortSignal,
    holder: Holder,
  ): Promise<number> {
    let bytes = 0
    for (const format of this.ctx.config.COPY_FORMATS as FileFormat[]) {
      const file = exportFile(this.ctx, { which: {}, format, passwords: true, owners: true, now })
      bytes += await target.put(`${night}-${file.name}.gz`, file.pieces, signal, holder)
    }
    return bytes
  }

  /** Deletes all but the newest nights, and what was left of broken tries. What has another name is left alone. */
  private async dropOld(target: CopyTarget, keep: number, signal: AbortSignal): Promise<void> {
    const names = await target.list(signal)
    const nights = [...new Set(names.flatMap((name) => nightIn(name) ?? []))].sort()
    const old = new Set(nights.slice(0, -keep))
    for (const name of names) if (old.has(nightIn(name) ?? '') || PART.test(name)) await target.remove(name, signal)
  }
}

/** Where this deployment puts its copies; null: nowhere. */
export function targetOf(config: Config): CopyTarget | null {
  if (config.COPY_TO === undefined) return null
  const bucket = parseBucketUrl(config.COPY_TO)
  if (!bucket) return new FolderTarget(resolve(config.COPY_TO))
  const { COPY_BUCKET_REGION: region, COPY_BUCKET_KEY_ID: keyId = '', COPY_BUCKET_SECRET: secret = '' } = config
  return new S3Target(bucket, { region, keyId, secret })
}
