import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { keepTrack } from './processes'

export const CONNECTIONS = 32

/** A script of bench/wrk/ that says what wrk is to send, and its arguments. */
export interface Script {
  name: 'paths' | 'unknown' | 'create'
  args: string[]
}

export interface Measured {
  requests: number
  /** Requests a second. */
  rate: number
  /** In ms. */
  p50: number
  p99: number
  /** Answers with a status over 399. */
  refused: number
  /** Connections that failed, and answers that took over 2 s. */
  socketErrors: number
}

/** Loads `origin` for `seconds` with 1 thread and 32 connections. @throws when wrk fails */
export async function wrk(origin: string, script: Script, seconds: number): Promise<Measured> {
  const program = process.env.WRK_PATH ?? 'wrk'
  const file = `bench/wrk/${script.name}.lua`
  const args = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--latency', '-s', file, origin, '--', ...script.args]
  const child = keepTrack(spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] }))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`wrk ended with ${code}: ${output}`)
  return parse(output)
}

function parse(output: string): Measured {
  const number = (pattern: RegExp) => Number(pattern.exec(output)?.[1] ?? 0)
  const latency = (percentile: number) => {
    const [, value = '', unit = ''] = new RegExp(`^\\s+${percentile}%\\s+([\\d.]+)(us|ms|s|m)\\s*$`, 'm').exec(output) ?? []
    const factor = { us: 0.001, ms: 1, s: 1_000, m: 60_000 }[unit]
    if (factor === undefined) throw new Error(`wrk measured nothing: ${output}`)
    return Number(value) * factor
  }
  const errors = /Socket errors: connect (\d+), read (\d+), write (\d+), timeout (\d+)/.exec(output)?.slice(1) ?? []
  return {
    requests: number(/^\s+(\d+) requests in /m),
    rate: number(/^Requests\/sec:\s+([\d.]+)$/m),
    p50: latency(50),
    p99: latency(99),
    refused: number(/^\s+Non-2xx or 3xx responses: (\d+)$/m),
    socketErrors: errors.reduce((sum, text) => sum + Number(text), 0),
  }
}
