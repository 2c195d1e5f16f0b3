import { type Command, Option } from 'commander'
import { apply } from '../code/apply.js'
import type { LinkFile } from '../code/file.js'
import { type Action, planOf, type Step } from '../code/plan.js'
import { clientFor, examples, JSON_OPTION } from '../command.js'
import { EXIT, exitCodeOf, Failed, Failures, UsageError, wordsOf } from '../exit.js'
import { ask, number, paint, plain, print, printJson, tell } from '../terminal.js'

interface Options {
  check?: boolean
  yes?: boolean
  json?: boolean
}

export function addCode(program: Command): void {
  const plan = program
    .command('plan')
    .summary('show what “apply” would do')
    .description(
      'Compares a file of links with the server: what would be created, changed and deleted, and what someone edited elsewhere. ' +
        'Changes nothing.',
    )
    .argument('<file>', 'links in YAML or JSON; - for standard input')
    .option('--check', 'exit with 8 if anything is different')
    .addOption(JSON_OPTION())
    .action(async (file: string, { check, json }: Options, command: Command) => {
      const steps = await planOf(clientFor(command), await read(file))
      report(steps, json)
      if (check && steps.some(({ action }) => action !== 'unchanged')) throw new Failed(EXIT.different)
    })
  examples(plan, 'terse plan links.yaml', 'terse plan links.yaml --check > /dev/null || echo "someone edited links"')
  const command = program
    .command('apply')
    .summary('make links as a file has them')
    .description(
      'Creates, changes and deletes links so that they are as the file has them. Links without its tag are left alone.',
    )
    .argument('<file>', 'links in YAML or JSON; - for standard input')
    .addOption(new Option('-y, --yes', 'delete without asking'))
    .addOption(JSON_OPTION())
    .action((file: string, options: Options, command: Command) => applyFile(command, file, options))
  examples(command, 'terse apply links.yaml', 'terse apply links.yaml --yes')
}

/** What reads YAML and checks schemas is as large as the rest, and no other command needs it. */
async function read(name: string): Promise<LinkFile> {
  const { readLinkFile } = await import('../code/file.js')
  return readLinkFile(name)
}

async function applyFile(command: Command, name: string, { yes, json }: Options): Promise<void> {
  const client = clientFor(command)
  const file = await read(name)
  const steps = await planOf(client, file)
  report(steps, json)
  const deletes = countOf(steps, 'delete')
  if (deletes > 0 && !yes) {
    const answer = await ask(`Delete ${number(deletes)} ${deletes === 1 ? 'link' : 'links'}? Type “yes”: `)
    if (answer === null) throw new UsageError(`This would delete ${number(deletes)} links. Nothing was done: use --yes.`)
    if (answer !== 'yes') throw new UsageError('Nothing was done.')
  }
  const failures = new Failures()
  let done = 0
  for await (const { step, error } of apply(client, steps, file.managedBy)) {
    if (error === undefined) done += 1
    else {
      tell(`terse: ${nameOf(step)}: ${wordsOf(error)}`)
      failures.note(exitCodeOf(error))
    }
  }
  const planned = steps.length - countOf(steps, 'unchanged')
  if (!json && planned > 0) print(`Applied: ${number(done)} of ${number(planned)}.`)
  failures.end()
}

const countOf = (steps: readonly Step[], action: Action) => steps.filter((step) => step.action === action).length

const nameOf = ({ address: { domain, code } }: Step) => plain(`${domain}/${code}`)

const SIGNS = {
  create: ['+', 'green'],
  restore: ['+', 'green'],
  change: ['~', 'yellow'],
  delete: ['-', 'red'],
} as const

function report(steps: readonly Step[], json = false): void {
  if (json) {
    for (const step of steps) printJson(step)
    return
  }
  for (const step of steps) {
    if (step.action === 'unchanged') continue
    const [sign, color] = SIGNS[step.action]
    print(paint(color, sign), ` ${nameOf(step)}${noteOf(step)}`)
    if (step.action !== 'change') continue
    for (const [field, { from, to }] of Object.entries(step.differences))
      print(`    ${plain(field)}: ${shown(from)} → ${shown(to)}`)
  }
  const counts = (['create', 'restore', 'change', 'delete'] as const)
    .map((action) => ({ action, count: countOf(steps, action) }))
    .filter(({ count }) => count > 0)
    .map(({ action, count }) => `${number(count)} to ${action}`)
  const unchanged = `${number(countOf(steps, 'unchanged'))} unchanged`
  print(counts.length === 0 ? `Nothing to do: ${unchanged}.` : `Plan: ${[...counts, unchanged].join(', ')}.`)
}

function noteOf(step: Step): string {
  if (step.action === 'create') return ` → ${plain(step.wanted.url)}`
  if (step.action === 'restore') return ` → ${plain(step.wanted.url)} (was deleted)`
  if (step.action === 'delete') return ` → ${plain(step.url)}`
  return step.action === 'change' && step.adopts ? ' (not made by this file so far)' : ''
}

const shown = (value: unknown) =>
  plain(value === null || value === '' ? '(none)' : typeof value === 'string' ? value : JSON.stringify(value))
