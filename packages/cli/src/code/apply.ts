import type { CreateLink, Terse, UpdateLink } from '../client.js'
import { inOrder } from '../pool.js'
import { TerseError } from '../problem.js'
import { createdFrom, differencesOf, type Wanted } from './compare.js'
import type { Step } from './plan.js'

/** A step, and why it did not succeed. */
export interface Outcome {
  step: Step
  error?: unknown
}

/** One at a time would take an hour for 10,000 links; more would only wait at the server. */
const AT_ONCE = 4

/**
 * Does what a plan says. Each link is read again and written only as the version that was read, and only if it is still as the
 * plan saw it, so that nobody's edit in between is lost.
 */
export async function* apply(client: Terse, steps: readonly Step[], managedBy: string): AsyncGenerator<Outcome, void, undefined> {
  const todo = steps.filter(({ action }) => action !== 'unchanged')
  yield* inOrder(todo, AT_ONCE, async (step): Promise<Outcome> => {
    try {
      await take(client, step, managedBy)
      return { step }
    } catch (error) {
      return { step, error }
    }
  })
}

async function take(client: Terse, step: Step, managedBy: string): Promise<void> {
  const { address } = step
  if (step.action === 'create') {
    await client.links.create({ ...address, ...createdFrom(step.wanted) } as CreateLink)
  } else if (step.action === 'restore') {
    await client.links.restore(address)
    await change(client, step, () => true)
  } else if (step.action === 'change') {
    const planned = JSON.stringify(step.differences)
    await change(client, step, (found) => JSON.stringify(found) === planned)
  } else if (step.action === 'delete') {
    const { link, etag } = await client.links.read(address)
    const isManaged = link.tags?.some((tag) => tag.toLowerCase() === managedBy.toLowerCase())
    if (!isManaged || link.url !== step.url) throw editedSince()
    await client.links.delete(address, { ifMatch: etag })
  }
}

async function change(client: Terse, { address, wanted }: Step & { wanted: Wanted }, isPlanned: (found: unknown) => boolean) {
  const { link, etag } = await client.links.read(address)
  const differences = differencesOf(link, wanted)
  if (Object.keys(differences).length === 0) return
  if (!isPlanned(differences)) throw editedSince()
  const changes = Object.fromEntries(Object.entries(differences).map(([name, { to }]) => [name, to]))
  await client.links.edit(address, changes as UpdateLink, { ifMatch: etag })
}

const editedSince = () =>
  new TerseError('Someone edited this link after it was planned. Look at the plan again.', 412, 'precondition_failed')
