/**
 * `npm run test:engines`: the tests on every engine that can be had here, and what came of it in docs/engines.md.
 *
 *   npm run test:engines                     all engines
 *   npm run test:engines -- mysql node-26    these
 *   npm run test:engines -- mysql -- lib/db  these tests on it; nothing is written
 */

import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { buildAll, generatePrismaClient } from './lib/build.mjs'
import { command } from './lib/command.mjs'
import { installDependencies } from './lib/dependencies.mjs'
import { PARTS } from './lib/engine-parts.mjs'
import { onEngine } from './lib/engine-run.mjs'
import { record, stateOfFiles } from './lib/engine-table.mjs'
import { ENGINES, engineOf } from './lib/engines.mjs'
import { complain, Interrupted, print, seconds } from './lib/report.mjs'
import { openRunFolder } from './lib/run-folder.mjs'
import { runPlaywright, runVitest, sum } from './lib/runners.mjs'
import { forgetSettings } from './lib/settings.mjs'

/** @typedef {import('./lib/engine-table.mjs').Row} Row */
/** @typedef {import('./lib/runners.mjs').Context} Context */

await command(async (words, signal) => {
  const split = words.indexOf('--')
  const [given, tests] = split === -1 ? [words, []] : [words.slice(0, split), words.slice(split + 1)]
  const names = given.length > 0 ? given : Object.keys(ENGINES)
  names.forEach(engineOf)
  forgetSettings()

  const closeRun = await openRunFolder('engines')
  const reports = mkdtempSync(path.join(os.tmpdir(), 'terse-reports-'))
  try {
    await installDependencies(signal)
    await generatePrismaClient(signal)
    await buildAll(signal)
    /** @type {string[]} */
    const summary = []
    let isRed = false
    for (const name of names) {
      const { line, failed } = await runEngine(name, { args: tests, env: process.env, reports, signal })
      summary.push(line)
      isRed ||= failed
    }
    print(`\n${summary.join('\n')}`)
    return isRed ? 1 : 0
  } finally {
    rmSync(reports, { recursive: true, force: true })
    await closeRun()
  }
})

/**
 * @param {string} name
 * @param {Context} context
 * @returns {Promise<{ line: string, failed: boolean }>}
 */
async function runEngine(name, context) {
  const engine = engineOf(name)
  print(`\n── ${engine.title} ──`)
  const since = performance.now()
  try {
    const found = await engine.find(context.signal)
    if ('missing' in found) {
      print(`  skipped: ${found.missing}`)
      return { line: `  - ${engine.title.padEnd(28)} skipped: ${found.missing}`, failed: false }
    }
    const row = await onEngine('engine', found, context, async (own, versions) => {
      print(`  Node ${versions.node}, ${versions.database}, ${versions.redis}`)
      const state = await stateOfFiles(context.signal)
      const outcome = await runPart(PARTS[engine.part], own)
      return { name, versions, outcome, state, time: performance.now() - since }
    })
    if (context.args.length === 0) record(row)
    const { passed, failed, skipped } = row.outcome
    const counts = `${passed} passed, ${failed} failed, ${skipped} skipped`
    return { line: `  ${failed > 0 ? '✗' : '✓'} ${engine.title.padEnd(28)}${seconds(row.time)}  ${counts}`, failed: failed > 0 }
  } catch (error) {
    if (error instanceof Interrupted) throw error
    complain(error)
    return { line: `  ✗ ${engine.title.padEnd(28)} did not run`, failed: true }
  }
}

/**
 * @param {import('./lib/engine-parts.mjs').Part} part
 * @param {Context} context with the tests that were asked for, if not those of the part
 */
async function runPart({ tests, browser }, context) {
  if (context.args.length > 0) return await runVitest(context)
  const outcome = await runVitest({ ...context, args: tests })
  if (browser.length === 0) return outcome
  return sum(outcome, await runPlaywright({ ...context, args: ['--project=desktop', ...browser] }))
}
