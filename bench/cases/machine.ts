import { inTurn } from '../loads'
import { costOf, runOf } from '../measure'
import { startNginx } from '../processes'
import type { Row } from '../report'
import type { World } from '../world'

/** What this machine can do at most: a server made for this, in C. */
export async function nginx(world: World): Promise<Row[]> {
  const title = 'nginx, `return 302`, one process: for comparison'
  const server = await startNginx(world.dir)
  if (!server) return [{ title, goal: '', result: 'skipped', met: null, note: 'nginx is not installed', raw: null }]
  try {
    const { control, plan } = world
    const script = inTurn(world, 'nginx', ['/abcdefg']).script(0)
    const before = await runOf(world, control, script, plan.control)
    const run = await runOf(world, server, script, plan.seconds)
    const after = await runOf(world, control, script, plan.control)
    const mean = (before.rate + after.rate) / 2
    return [
      {
        title,
        goal: '',
        result: (run.rate / mean).toFixed(2),
        met: null,
        rate: run.rate,
        p50: run.p50,
        p99: run.p99,
        control: mean,
        cost: costOf([run], [before, after]),
        raw: { before, run, after },
      },
    ]
  } finally {
    await server.stop()
  }
}
