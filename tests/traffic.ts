import { setTimeout as delay } from 'node:timers/promises'
import { READ_TIMEOUT } from '@/lib/db/sql-gateway'
import { Load } from './clicks'
import { type Answer, type App, destination, eventually } from './harness'

/** How long a change may take to be seen by every process, in ms. */
const FRESH = 1_000
const PAUSE = 20

const KINDS = ['creation', 'edit', 'deletion'] as const

/** A change that was made, and how long after it another process was asked and still answered as before, in ms. */
interface Seen {
  what: (typeof KINDS)[number]
  stale: number
}

/**
 * What people do, all the time and through all of some processes: clicks, and links that are created, edited and deleted through
 * one process and looked at through the next. What a fault may do to it is for the test to say.
 */
export class Traffic {
  /** Answers that no fault explains. */
  readonly wrong: string[] = []
  /** Answers with 503, which asks to try again. */
  refused = 0
  /** Those of them that did not come of waiting for MySQL until its time was over. */
  refusedEarly = 0
  readonly seen: Seen[] = []
  readonly created: { code: string; url: string }[] = []
  readonly loads: Load[]
  private stopped = false
  private turn = 0
  private readonly loops: Promise<void>[]

  /**
   * @param link followed by all of them, its clicks counted
   * @param apps asked in turn; others may be put in their places
   */
  constructor(
    private readonly apps: App[],
    private readonly link: { code: string },
    connections = 3,
  ) {
    this.loads = apps.map((_, i) => new Load(() => apps[i]?.port ?? 0, link.code, connections))
    this.loops = [this.loop(() => this.create()), this.loop(() => this.edit()), this.loop(() => this.remove())]
  }

  /** The clicks of all processes on the link. */
  get clicks(): Pick<Load, 'code' | 'received' | 'wrong'> {
    return {
      code: this.link.code,
      received: this.loads.flatMap(({ received }) => received),
      wrong: this.loads.flatMap(({ wrong }) => wrong),
    }
  }

  /** Goes on until so many more clicks were answered, and each kind of change was seen once more. */
  async more(clicks = 300): Promise<void> {
    const changes = () => KINDS.map((kind) => this.seen.filter(({ what }) => what === kind).length)
    const [before, seen] = [this.clicks.received.length, changes()]
    await eventually(
      () => ({ clicks: this.clicks.received.length - before, changes: changes().map((count, i) => count - (seen[i] ?? 0)) }),
      (now) => now.clicks >= clicks && now.changes.every((count) => count > 0),
      30_000,
    )
  }

  private async loop(work: () => Promise<void>): Promise<void> {
    while (!this.stopped) {
      await work().catch((error: Error) => this.wrong.push(error.message))
      await delay(PAUSE)
    }
  }

  /** The next process, and the one after it. */
  private pair(): [App, App] {
    this.turn += 1
    const of = (i: number) => this.apps[(this.turn + i) % this.apps.length] as App
    return [of(0), of(1)]
  }

  /** @returns null when it was refused */
  private async tried(change: () => Promise<Answer>, status: number): Promise<Answer | null> {
    const begun = performance.now()
    const answer = await change()
    if (answer.status === status) return answer
    if (answer.status === 503) this.refuse(begun)
    else this.wrong.push(`instead of ${status}: ${answer.status} ${answer.body.slice(0, 300)}`)
    return null
  }

  private refuse(begun: number): void {
    this.refused += 1
    if (performance.now() - begun < READ_TIMEOUT) this.refusedEarly += 1
  }

  private async made(by: App): Promise<{ code: string; url: string; manageToken: string } | null> {
    const url = destination()
    const answer = await this.tried(() => by.api('POST', '/links', { url }), 201)
    if (!answer) return null
    const { code, manageToken } = JSON.parse(answer.body) as { code: string; manageToken: string }
    this.created.push({ code, url })
    return { code, url, manageToken }
  }

  /** Asks until the change shows. 503 is no answer; anything else that is neither old nor new is wrong. */
  private async shows(what: Seen['what'], by: App, code: string, isNew: (answer: Answer) => boolean, isOld: typeof isNew) {
    const begun = performance.now()
    for (let stale = 0; ; ) {
      const asked = performance.now() - begun
      const answer = await by.get(`/${code}`)
      if (isNew(answer)) {
        this.seen.push({ what, stale })
        return
      }
      if (answer.status === 503) this.refuse(begun + asked)
      else if (isOld(answer) && asked <= FRESH) stale = asked
      else {
        this.wrong.push(`${what} of ${code} after ${Math.round(asked)} ms: ${answer.status} ${answer.headers.location ?? ''}`)
        return
      }
      await delay(PAUSE)
      if (this.stopped && answer.status === 503) return
    }
  }

  /** A link that a client was given is never denied, not even once. */
  private async create(): Promise<void> {
    const [one, two] = this.pair()
    const link = await this.made(one)
    if (link) await this.shows('creation', two, link.code, leadsTo(link.url), () => false)
  }

  private async edit(): Promise<void> {
    const [one, two] = this.pair()
    const link = await this.made(one)
    if (!link) return
    await two.get(`/${link.code}`)
    const url = destination()
    // Where it is refused, it may have happened all the same.
    const at = this.created.findIndex(({ code }) => code === link.code)
    this.created.splice(at, 1)
    if (!(await this.tried(() => one.manage('PATCH', link, { url }), 200))) return
    await this.shows('edit', two, link.code, leadsTo(url), leadsTo(link.url))
    this.created.push({ code: link.code, url })
  }

  private async remove(): Promise<void> {
    const [one, two] = this.pair()
    const link = await this.made(one)
    if (!link) return
    this.created.splice(
      this.created.findIndex(({ code }) => code === link.code),
      1,
    )
    await two.get(`/${link.code}`)
    if (!(await this.tried(() => one.manage('DELETE', link), 204))) return
    await this.shows('deletion', two, link.code, ({ status }) => status === 410, leadsTo(link.url))
  }

  /** Ends it. */
  async stop(): Promise<void> {
    this.stopped = true
    await Promise.all([...this.loops, ...this.loads.map((load) => load.stop())])
  }
}

const leadsTo = (url: string) => (answer: Answer) => answer.status === 302 && answer.headers.location === url
