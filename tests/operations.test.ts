import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { App, destination, eventually, ownServers, ROOT, type Servers, unknownCode } from './harness'

const FOLDER = join(ROOT, 'docs/operations')

/** What Prometheus adds to every series. */
const OF_PROMETHEUS = ['job', 'instance']
/** Series that Prometheus makes by itself. */
const ITS_OWN = new Map([['up', new Set(OF_PROMETHEUS)]])

/** A metric that an expression names, and the labels by which it asks for it. */
interface Use {
  metric: string
  labels: string[]
}

const FUNCTIONS = new Set(['histogram_quantile', 'increase', 'max', 'min', 'rate', 'scalar', 'sum', 'label_values'])

/**
 * What a PromQL expression names: as much of the language as these files use.
 * @throws Error on a word that is no metric, function or keyword known here
 */
function usesOf(expression: string): Use[] {
  const grouped = [...expression.matchAll(/\bby\s*\(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(',').map((at) => at.trim()),
  )
  const bare = expression.replace(/\bby\s*\([^)]*\)/g, ' ').replace(/\[[^\]]*\]/g, ' ')
  const uses: Use[] = []
  const outside = bare.replace(/([a-z_][a-z0-9_]*)\s*\{([^}]*)\}/g, (_, metric: string, selector: string) => {
    uses.push({ metric, labels: [...selector.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label) })
    return ' '
  })
  for (const [word] of outside.matchAll(/[a-z_][a-z0-9_]*/gi)) {
    if (FUNCTIONS.has(word)) continue
    if (!/^(terse_\w+|up)$/.test(word)) throw new Error(`unknown word ${word} in ${expression}`)
    uses.push({ metric: word, labels: [] })
  }
  return uses.map(({ metric, labels }) => ({ metric, labels: [...labels, ...grouped] }))
}

/** The series of `/metrics`: their labels by name. */
function seriesOf(text: string): Map<string, Set<string>> {
  const series = new Map([...ITS_OWN])
  for (const [, name = '', labels = ''] of text.matchAll(/^([a-z_][\w]*)(?:\{(.*)\})? \S+$/gm)) {
    const known = series.get(name) ?? new Set(OF_PROMETHEUS)
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label)
    series.set(name, known)
  }
  return series
}

const alerts = readFileSync(join(FOLDER, 'alerts.yml'), 'utf8')
/** The expressions of the rules: on one line, or folded over some. */
const rules = [...alerts.matchAll(/^ {6}- alert: (\w+)\n {8}expr: (?:>-\n((?: {10}.*\n)+)|(.*)\n)/gm)].map(
  ([, name = '', folded, plain]) => ({ name, expr: (folded ?? plain ?? '').replace(/\s+/g, ' ').trim() }),
)

interface Panel {
  title: string
  type: string
  targets?: { expr: string }[]
}
const dashboard = JSON.parse(readFileSync(join(FOLDER, 'dashboard.json'), 'utf8')) as {
  panels: Panel[]
  templating: { list: { name: string; definition?: string }[] }
}
const shown = dashboard.panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ name: title, expr })))

let servers: Servers
let app: App
let series: Map<string, Set<string>>

beforeAll(async () => {
  servers = await ownServers()
  app = await App.start({ DATABASE_URL: servers.databaseUrl, REDIS_URL: servers.redisUrl })
  const { code } = await app.create({ url: destination() })
  await app.get(`/${code}`)
  await app.get(`/${unknownCode()}`)
  const all = () => app.get('/metrics').then(({ body }) => body)
  series = seriesOf(await eventually(all, (text) => /^terse_click_lag_seconds_count [1-9]/m.test(text)))
})

afterAll(async () => {
  await app?.stop()
  await servers?.stop()
})

describe('the alerts and the dashboard', () => {
  test('are read whole', () => {
    expect(rules).toHaveLength(alerts.match(/- alert:/g)?.length ?? 0)
    expect(rules.length).toBeGreaterThan(10)
    expect(shown.length).toBeGreaterThan(20)
    expect(usesOf('sum by (le, tier) (rate(terse_a_bucket{x=~"a|b", y!="c"}[5m])) / max(terse_b) > 0.1')).toEqual([
      { metric: 'terse_a_bucket', labels: ['x', 'y', 'le', 'tier'] },
      { metric: 'terse_b', labels: ['le', 'tier'] },
    ])
    expect(() => usesOf('sum(rate(other_total[5m]))')).toThrow('unknown word other_total')
  })

  test('name only what /metrics has, by labels that it has', () => {
    const wrong = [...rules, ...shown].flatMap(({ name, expr }) => {
      const uses = usesOf(expr)
      const labelled = uses.flatMap(({ metric }) => [...(series.get(metric) ?? [])])
      return uses.flatMap(({ metric, labels }) => {
        if (!series.has(metric)) return [`${name}: no metric ${metric}`]
        return labels.filter((label) => !labelled.includes(label)).map((label) => `${name}: ${metric} has no label ${label}`)
      })
    })
    expect(wrong).toEqual([])
    const [, variable] = dashboard.templating.list
    expect(variable?.definition).toBe('label_values(terse_breaker_mysql, instance)')
  })

  test('show or watch every metric of Terse’s own', () => {
    const used = new Set([...rules, ...shown].flatMap(({ expr }) => usesOf(expr).map(({ metric }) => metric)))
    const isOwn = (name: string) => /^terse_(?!nodejs_|process_)/.test(name) && !/_(sum|bucket|count)$/.test(name)
    expect([...series.keys()].filter(isOwn).filter((name) => !used.has(name))).toEqual([])
  })
})
