import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { processesOfRun, RUN_VARIABLE } from '@/scripts/lib/leftovers.mjs'
import { PORTS_VARIABLE, portsFolder } from '@/scripts/lib/loopback.mjs'
import { isAlive, packageProgram } from '@/scripts/lib/processes.mjs'
import { eventually, ROOT } from './harness'

interface Note {
  worker: number
  /** Where the run writes. */
  folder: string
  /** All that it started: the worker, three servers, the app and its two processes. */
  started: { pid: number; started: string }[]
}

/** Runs tests/fixtures/run.fixture.ts, which starts servers and an app, and stops nothing. */
async function startRun(how: string) {
  const temporary = mkdtempSync(join(tmpdir(), 'terse-run-of-'))
  onTestFinished(() => rmSync(temporary, { recursive: true, force: true }))
  const noteFile = join(temporary, 'note')
  const { [RUN_VARIABLE]: _ofThisRun, ...env } = process.env
  const args = [packageProgram('vitest'), 'run', '--config', 'tests/fixtures/run.config.ts']
  const runner = spawn(process.execPath, args, {
    cwd: ROOT,
    stdio: 'ignore',
    env: { ...env, TMPDIR: temporary, [PORTS_VARIABLE]: portsFolder(), RUN_CASE: how, RUN_NOTE: noteFile },
  })
  onTestFinished(() => void runner.kill('SIGKILL'))
  const ended = new Promise<number | null>((resolve) => runner.once('exit', (code) => resolve(code)))
  await eventually(() => existsSync(noteFile), Boolean, 50_000)
  const note = JSON.parse(readFileSync(noteFile, 'utf8')) as Note
  return { runner, ended, temporary, note }
}

test.each([
  ['passes', 'nothing'],
  ['hook fails', 'nothing'],
  ['waits', 'SIGINT to the runner'],
  ['waits', 'SIGTERM to the runner'],
  ['waits', 'SIGKILL to the runner'],
  ['waits', 'SIGKILL to its worker'],
])(
  'a run that %s and is sent %s leaves no process and no folder',
  async (how, sent) => {
    const { runner, ended, temporary, note } = await startRun(how)
    const [signal] = sent.split(' ')
    expect(note.started.length).toBeGreaterThanOrEqual(7)
    if (how === 'waits') {
      if (sent.endsWith('worker')) process.kill(note.worker, signal)
      else runner.kill(signal as NodeJS.Signals)
    }
    await ended
    await eventually(
      () => [...note.started.filter(isAlive), ...processesOfRun(note.folder)],
      (left) => left.length === 0,
      20_000,
    )
    await eventually(
      () => readdirSync(temporary),
      (names) => names.every((name) => name === 'note'),
      20_000,
    )
  },
  90_000,
)
