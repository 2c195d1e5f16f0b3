import { type Row, wrongAnswers } from '../report'
import type { World } from '../world'
import { wrk } from '../wrk'
import { withApp } from './redirects'

/** Links made through the API, each over HTTP, to a destination of its own. */
export async function create(world: World): Promise<Row[]> {
  const { plan } = world
  const stock = await world.large()
  return await withApp(world, 'create', stock, async (app) => {
    await wrk(app.origin, { name: 'create', args: ['warm-up'] }, plan.window)
    const measured = await wrk(app.origin, { name: 'create', args: ['run'] }, plan.seconds)
    const { rate, p50, p99, refused, socketErrors } = measured
    const wrong = refused + socketErrors
    return [
      {
        title: 'create through the API',
        goal: '≥ 1,500/s, p99 < 40 ms',
        result: `${Math.round(rate).toLocaleString('en-US')}/s, p99 ${p99.toFixed(0)} ms`,
        met: rate >= 1_500 && p99 < 40 && wrong === 0,
        rate,
        p50,
        p99,
        note: wrong === 0 ? '' : `${wrongAnswers(wrong)}: ${refused} refused, ${socketErrors} over 2 s or broken off`,
        raw: measured,
      },
    ]
  })
}

/** What filling the large database took: all cases stand on that, and it is measured as it is done. */
export async function bulk(world: World): Promise<Row[]> {
  const { seeding } = await world.large()
  const { codes, seconds, rate, rows, unheard } = seeding
  const missing = codes.length - rows + (codes.length - new Set(codes).size)
  return [
    {
      title: 'bulk insert through the link service',
      goal: '≥ 15,000 links/s',
      result: `${Math.round(rate).toLocaleString('en-US')} links/s`,
      met: rate >= 15_000 && missing === 0,
      note: [
        `${codes.length.toLocaleString('en-US')} links in ${seconds.toFixed(0)} s`,
        missing === 0 ? '' : `${missing} LINKS MISSING`,
        unheard === 0 ? '' : `${unheard} left in the outbox`,
      ]
        .filter(Boolean)
        .join('; '),
      raw: { links: codes.length, seconds, rate, rows, unheard },
    },
  ]
}
