import type { TestProject } from 'vitest/node'
import { openRunFolder } from '@/scripts/lib/run-folder.mjs'

/**
 * Whatever ends a run of vitest leaves no process and no folder (scripts/lib/run-folder.mjs). What it started is ended once
 * vitest itself is: its workers are still at it when vitest takes down what was set up.
 */
export default async function setup(project: TestProject): Promise<void> {
  await openRunFolder('vitest', [project.tmpDir])
}
