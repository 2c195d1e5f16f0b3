import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import type { Logger } from 'pino'
import type { Config } from '@/lib/config'
import { SqlGateway } from '@/lib/db/sql-gateway'
import { createLog } from '@/lib/log'
import { Loop } from '@/lib/tools/loop'
import { nameThread } from '@/lib/tools/thread-name'
import type { Counting } from './counting'
import { Strain } from './give-way'
import { type CountingMetrics, TOLD } from './metrics'

/** What `top -H` and the benchmark call the thread. */
const NAME = 'counting'
/** How often it is measured what visitors feel, and counts are told, in ms. */
const INTERVAL = 100
/** How often the delay of the event loop is looked at, in ms. */
const LOOK = 10
/** Pause before a thread that died is replaced, in ms. */
const REVIVAL = 1_000
/** Connections to MySQL: one for each transaction under way. */
const POOL = 3

/** What the thread tells. */
type ThreadReport = Record<(typeof TOLD)[number], number> & {
  /** In seconds, one for each click. */
  lags: number[]
}

interface Given {
  config: Config
  /** One number, written by the thread that answers redirects: what visitors feel, 0 to 1. */
  strain: Float64Array
}

/**
 * Counts in a thread of its own, so that redirects never wait behind a transaction's worth of work.
 * @param script this module, bundled
 */
export function countInThread(script: URL, parts: { config: Config; metrics: CountingMetrics; log: Logger }): Counting {
  const { config, metrics, log } = parts
  const shared = new Float64Array(new SharedArrayBuffer(Float64Array.BYTES_PER_ELEMENT))
  let worker: Worker | null = null
  let closing = false
  const strain = new Strain()
  const delays = monitorEventLoopDelay({ resolution: LOOK })
  const measure = () => {
    // Its numbers hold the time between two looks, too.
    shared[0] = strain.measure(delays.count === 0 ? 0 : Math.max(0, delays.mean / 1e6 - LOOK))
    delays.reset()
  }
  const gauge = new Loop({ every: INTERVAL, run: measure })
  const run = () => {
    if (closing) return
    const workerData: Given = { config, strain: shared }
    worker = new Worker(script, { workerData, resourceLimits: { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 192 } })
    worker.on('message', (report: ThreadReport) => note(metrics, report))
    worker.on('error', (err) => log.error({ err }, 'the thread that counts clicks failed'))
    // What it had read is taken over by the next, as from any consumer that died.
    worker.on('exit', () => {
      setTimeout(run, REVIVAL).unref()
    })
  }
  return {
    async start() {
      run()
      delays.enable()
      gauge.startLater()
    },
    felt: (ms) => strain.note(ms),
    async close() {
      closing = true
      delays.disable()
      void gauge.stop()
      const ended = new Promise<void>((resolve) => worker?.once('exit', () => resolve()))
      if (!worker || worker.threadId === -1) return
      worker.postMessage('close')
      await ended
    },
  }
}

function note(metrics: CountingMetrics, report: ThreadReport): void {
  for (const name of TOLD) metrics[name].inc(report[name])
  const series = metrics.lag.labels({})
  for (const lag of report.lags) series.observe(lag)
}

const nothing = (): ThreadReport => ({ applied: 0, repeated: 0, orphaned: 0, dead: 0, lags: [] })

async function countHereForParent(): Promise<void> {
  nameThread(NAME)
  const { countHere } = await import('./counting')
  const { config, strain } = workerData as Given
  let report = nothing()
  const count = (name: (typeof TOLD)[number]) => ({
    inc: (by = 1) => {
      report[name] += by
    },
  })
  const tell = () => {
    if (report.lags.length === 0 && report.repeated === 0 && report.dead === 0 && report.orphaned === 0) return
    parentPort?.postMessage(report)
    report = nothing()
  }
  const db = new SqlGateway(config.DATABASE_URL, POOL)
  const counting = countHere({
    config,
    db,
    metrics: {
      applied: count('applied'),
      repeated: count('repeated'),
      orphaned: count('orphaned'),
      dead: count('dead'),
      lag: { labels: () => ({ observe: (seconds) => void report.lags.push(seconds) }) },
    },
    log: createLog(config.LOG_LEVEL),
    strain: () => strain[0] ?? 0,
  })
  await counting.start()
  const telling = new Loop({ every: INTERVAL, run: tell })
  telling.startLater()
  parentPort?.once('message', async () => {
    void telling.stop()
    await counting.close()
    tell()
    await db.close()
    parentPort?.close()
  })
}

if (!isMainThread && (workerData as Given | null)?.strain instanceof Float64Array) void countHereForParent()
