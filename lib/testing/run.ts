import type { TestProject } from 'vitest/node'
import { openRunFolder } from '@/scripts/lib/run-folder.mjs'

/** Whatever ends a run of vitest leaves no process and no folder (scripts/lib/run-folder.mjs). */
export default function setup(project: TestProject): Promise<() => Promise<void>> {
  return openRunFolder('vitest', [project.tmpDir])
}
