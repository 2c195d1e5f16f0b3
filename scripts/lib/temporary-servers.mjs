import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { startServers } from '../servers.mjs'
import { Interrupted, step } from './report.mjs'
import { openRunFolder } from './run-folder.mjs'

/**
 * Provides servers in a temporary folder for as long as `work` takes, however it ends.
 *
 * @template T
 * @param {string} purpose part of the folder's name
 * @param {AbortSignal} signal
 * @param {(servers: import('../servers.mjs').Servers, dir: string) => Promise<T>} work
 * @param {import('../servers.mjs').Programs} [programs] the server programs, if not the usual ones
 * @returns {Promise<T>}
 */
export async function withTemporaryServers(purpose, signal, work, programs) {
  const closeRun = await openRunFolder(purpose)
  const dir = mkdtempSync(path.join(os.tmpdir(), `terse-${purpose}-`))
  try {
    // How long a disk takes is only of interest to the benchmark.
    const sync = purpose === 'bench'
    const servers = await step('private servers', () => startServers({ dir, debug: true, sync, programs }))
    try {
      if (signal.aborted) throw new Interrupted()
      return await work(servers, dir)
    } finally {
      await servers.stop()
    }
  } finally {
    rmSync(dir, { recursive: true, force: true })
    await closeRun()
  }
}
