import { setPriority } from 'node:os'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { nameThread } from '@/lib/tools/thread-name'
import { type PromiseWithResolvers, withResolvers } from '@/lib/tools/with-resolvers'
import { type FaultReason, QrFault, type QrTask } from './task'

/** What `top -H` and the benchmark call the thread. */
const NAME = 'qr'

/** Where tasks are done. */
export interface Workshop {
  /** @throws QrFault, or another error if drawing broke off */
  pieces(task: QrTask): AsyncGenerator<Uint8Array, void>
  close(): Promise<void>
}

/** Draws in the calling thread, if there is no bundle to start another from. */
export const HERE: Workshop = { pieces: piecesOf, close: async () => {} }

/** What draws is loaded with the first task, where it is done. */
async function* piecesOf(task: QrTask): AsyncGenerator<Uint8Array, void> {
  const pieces = await import('./pieces')
  yield* pieces.piecesOf(task)
}

/** Asks for the next piece of a task, the first time with the task itself. `over` drops a task that nobody reads any more. */
type Asked = { id: number; task: QrTask } | { id: number } | { id: number; over: true }
type Answered =
  | { id: number; piece: Uint8Array }
  | { id: number; ended: true }
  | { id: number; fault: FaultReason; least: number }
  | { id: number; error: string }

/** A running thread, and the promises that wait for its answers. */
interface Running {
  worker: Worker
  waiting: Map<number, PromiseWithResolvers<Answered>>
}

/** Does tasks in a thread of its own, so that redirects never wait for one. It starts with the first task. */
export class QrThread implements Workshop {
  private running: Running | null = null
  private last = 0

  /** @param script this module, bundled */
  constructor(private readonly script: URL) {}

  async *pieces(task: QrTask): AsyncGenerator<Uint8Array, void> {
    const running = this.start()
    this.last += 1
    const id = this.last
    let isOver = false
    try {
      for (let asked: Asked = { id, task }; ; asked = { id }) {
        const answer = await ask(running, asked)
        isOver = !('piece' in answer)
        if ('piece' in answer) yield answer.piece
        else if ('ended' in answer) return
        else throw 'fault' in answer ? new QrFault(answer.fault, answer.least) : new Error(answer.error)
      }
    } finally {
      if (!isOver) running.worker.postMessage({ id, over: true } satisfies Asked)
    }
  }

  async close(): Promise<void> {
    await this.running?.worker.terminate()
  }

  private start(): Running {
    if (this.running) return this.running
    const worker = new Worker(this.script, {
      workerData: { [NAME]: true },
      resourceLimits: { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 192 },
    })
    const running: Running = { worker, waiting: new Map() }
    this.running = running
    worker.unref()
    worker.on('message', (answer: Answered) => {
      running.waiting.get(answer.id)?.resolve(answer)
      running.waiting.delete(answer.id)
    })
    const ended = (why: Error) => {
      if (this.running === running) this.running = null
      for (const { reject } of running.waiting.values()) reject(why)
      running.waiting.clear()
    }
    worker.on('error', ended)
    worker.on('exit', () => ended(new Error('the thread that draws QR codes ended')))
    return running
  }
}

function ask({ worker, waiting }: Running, asked: Asked): Promise<Answered> {
  if (worker.threadId === -1) return Promise.reject(new Error('the thread that draws QR codes ended'))
  const answer = withResolvers<Answered>()
  waiting.set(asked.id, answer)
  worker.postMessage(asked)
  return answer.promise
}

/** So that redirects come first even with fewer processors than threads. */
const NICE = 10

function work(): void {
  nameThread(NAME)
  // On Linux, this sets the priority of the calling thread; elsewhere it would be the whole process.
  if (process.platform === 'linux') setPriority(NICE)
  const tasks = new Map<number, AsyncGenerator<Uint8Array, void>>()
  parentPort?.on('message', async (asked: Asked) => {
    const { id } = asked
    if ('task' in asked) tasks.set(id, piecesOf(asked.task))
    const pieces = tasks.get(id)
    if ('over' in asked) {
      tasks.delete(id)
      return void pieces?.return()
    }
    const answer = await nextOf(id, pieces)
    if (!('piece' in answer)) tasks.delete(id)
    parentPort?.postMessage(answer)
  })
}

async function nextOf(id: number, pieces: AsyncGenerator<Uint8Array, void> | undefined): Promise<Answered> {
  try {
    const next = await pieces?.next()
    return next?.value ? { id, piece: next.value } : { id, ended: true }
  } catch (error) {
    if (error instanceof QrFault) return { id, fault: error.reason, least: error.least }
    return { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

if (!isMainThread && (workerData as { [NAME]?: true } | null)?.[NAME]) work()
