import { sweepOf } from '@/lib/blocklist/threat-list'
import type { Link } from '@/lib/db/generated/client'
import { hasCome, NOW } from '@/lib/db/time'
import { isTerseError } from '@/lib/errors'
import type { LinkContext } from '@/lib/links/context'
import { findById } from '@/lib/links/find'
import { OURSELVES } from '@/lib/links/permit'
import { changeLink } from '@/lib/links/update'
import { Breath } from '@/lib/tools/breath'
import { Background, Loop } from '@/lib/tools/loop'
import { noteHealth } from './note'
import { threatOf } from './targets'

/** How often a process looks whether there is another list, in ms, and for how long one alone holds links against it. */
const INTERVAL = 3_000
const LEASE = 60
/** Links that are read at a time. */
const BATCH = 500

interface Row {
  version: bigint
  pauses: boolean | number
  sweptFor: string
  sweptTo: bigint | null
}

type LinkRow = Pick<Link, 'id' | 'url' | 'urlHash' | 'expiredUrl' | 'routing' | 'preview' | 'state' | 'ownerId'>

/** A pause is put in place of what the link is by someone else's change meanwhile: it stays. */
class Elsewhere extends Error {}

/**
 * Holds all links against the list of threats, whenever there is another, or its switch is turned: pauses those that lead to what
 * it surely names while that is switched on, opens those again that it no longer names, and marks those of accounts that have
 * their destinations checked. One process at a time, from where the last one was.
 */
export class ThreatSweep extends Background {
  protected readonly loop = new Loop({
    every: INTERVAL,
    jitter: 0.2,
    run: () => this.sweep(),
    onFailure: (err) => this.ctx.log.debug({ err }, 'links wait to be held against the list of threats'),
  })

  constructor(private readonly ctx: LinkContext) {
    super()
  }

  override async start(): Promise<void> {
    this.loop.startLater()
  }

  /** @throws TerseError 'unavailable' */
  async sweep(): Promise<void> {
    const { db, blocklist } = this.ctx
    const [row] = await db.rows<Row>('SELECT version, pauses, sweptFor, sweptTo FROM ThreatList WHERE id = 1')
    if (!row) return
    const wanted = sweepOf({ version: row.version, pauses: Boolean(row.pauses) })
    if (row.sweptFor === wanted && row.sweptTo === null) return
    const from = row.sweptFor === wanted ? (row.sweptTo ?? -1n) : -1n
    const isMine = await db.change(
      `UPDATE ThreatList SET sweptFor = ?, sweptTo = ?, leaseUntil = ${NOW} + INTERVAL ${LEASE} SECOND
        WHERE id = 1 AND ${hasCome('leaseUntil', LEASE)}`,
      ...[wanted, from],
    )
    if (isMine === 0) return
    await blocklist.threats.refresh()
    await this.holdAll(wanted, from)
  }

  private async holdAll(wanted: string, from: bigint): Promise<void> {
    const { db } = this.ctx
    const breath = new Breath()
    for (let at = from; !this.loop.isStopped; ) {
      const links = await db.rows<LinkRow>(
        `SELECT id, url, urlHash, expiredUrl, routing, preview, state, ownerId FROM Link WHERE id > ? ORDER BY id LIMIT ${BATCH}`,
        at,
      )
      for (const link of links) {
        await this.hold(link)
        if (breath.isDue) await breath.pause()
      }
      const isOver = links.length < BATCH
      at = links.at(-1)?.id ?? at
      // Another list has come: it begins from the first link.
      const goesOn = await db.change(
        `UPDATE ThreatList SET sweptTo = ?, leaseUntil = ${isOver ? 'NULL' : `${NOW} + INTERVAL ${LEASE} SECOND`}
          WHERE id = 1 AND sweptFor = ?`,
        ...[isOver ? null : at, wanted],
      )
      if (isOver || goesOn === 0) return
    }
    await db.change('UPDATE ThreatList SET leaseUntil = NULL WHERE id = 1 AND sweptFor = ?', wanted)
  }

  private async hold(link: LinkRow): Promise<void> {
    const isPaused = this.ctx.blocklist.isPaused(link)
    if (isPaused && link.state === 'active') await this.turn(link.id, 'active', 'paused')
    else if (!isPaused && link.state === 'paused') await this.turn(link.id, 'paused', 'active')
    if (link.ownerId === null) return
    const threat = threatOf(this.ctx.blocklist, link)
    if (threat && (await this.isWanted(link.ownerId))) await noteHealth(this.ctx, link.ownerId, link, threat)
  }

  private async isWanted(ownerId: string): Promise<boolean> {
    return (await this.ctx.db.read((client) => client.healthAccount.count({ where: { ownerId } }))) > 0
  }

  private async turn(id: bigint, from: string, to: string): Promise<void> {
    try {
      await changeLink(
        this.ctx,
        OURSELVES,
        () => findById(this.ctx, id),
        ({ state }) => {
          if (state !== from) throw new Elsewhere()
          return { state: to }
        },
      )
    } catch (error) {
      if (isTerseError(error) && error.code === 'unavailable') throw error
      // Gone, changed by someone else, or refused by another rule: it stays as it is.
      if (!(error instanceof Elsewhere)) this.ctx.log.info({ err: error, link: id.toString() }, 'a link was not paused or opened')
    }
  }
}
