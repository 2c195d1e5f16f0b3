import { expect, it, vi } from 'vitest'
import type { Account, Actor } from '@/lib/actor'
import * as api from '@/lib/api/webhooks'
import { EVENT_KINDS, type EventKind } from '@/lib/events/kinds'
import { findJob } from '@/lib/jobs/store'
import { createLink } from '@/lib/links/create'
import { deleteLink } from '@/lib/links/delete'
import { queueImport } from '@/lib/links/import-queue'
import { restoreLink } from '@/lib/links/restore'
import { CreateLink, UpdateLink } from '@/lib/links/schemas'
import { queueUndo } from '@/lib/links/undo-job'
import { updateLink } from '@/lib/links/update'
import { connectTo, testDatabase } from '@/lib/testing/database'
import { eventually } from '@/lib/testing/eventually'
import { freshCode } from '@/lib/testing/links'
import { Receiver } from '@/lib/testing/receiver'
import { testRedis } from '@/lib/testing/redis'
import { owner, settled, testRuntime } from '@/lib/testing/runtime'
import { webhookTests } from '@/lib/testing/webhooks'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url, FETCH_ALLOW: '127.0.0.0/8' })
const { signedIn } = webhookTests(ctx, connection)
await settled(ctx)

const byOf = (actor: Actor) => ({ account: actor.account as Account, address: null })
const create = (actor: Actor, code: string) => createLink(ctx, actor, CreateLink.parse({ url: 'https://example.com/', code }))

/** Imports one link. @returns its job, as it is queued */
const importOne = (actor: Actor, code: string) => queueImport(ctx, byOf(actor), `url,code\nhttps://example.com/,${code}`)

async function ended(number: string) {
  ctx.jobs.look()
  await eventually(async () => expect((await findJob(ctx, null, number)).state).toBe('done'))
  return findJob(ctx, null, number)
}

interface Change {
  kind: EventKind
  /** What is there before. */
  begin?: (actor: Actor, code: string) => Promise<unknown>
  /** What is held up. */
  make: (actor: Actor, code: string, begun: unknown) => Promise<unknown>
  /** The table whose row, or place for one, somebody else holds. */
  table?: 'DeletedLink'
}

const at = (code: string) => ({ code, domain: undefined })
const CHANGES: Record<string, Change> = {
  'a creation': { kind: 'link.created', make: create },
  'an edit': {
    kind: 'link.changed',
    begin: create,
    make: (actor, code) => updateLink(ctx, actor, at(code), UpdateLink.parse({ title: 'New' })),
  },
  'a deletion': { kind: 'link.deleted', begin: create, make: (actor, code) => deleteLink(ctx, actor, at(code)) },
  'a restoration': {
    kind: 'link.changed',
    table: 'DeletedLink',
    begin: async (actor, code) => {
      await create(actor, code)
      await deleteLink(ctx, actor, at(code))
    },
    make: (actor, code) => restoreLink(ctx, actor, at(code)),
  },
  'an import': { kind: 'link.created', make: async (actor, code) => ended((await importOne(actor, code)).number) },
  'the undoing of an import': {
    kind: 'link.deleted',
    begin: async (actor, code) => ended((await importOne(actor, code)).number),
    make: async (actor, _, job) => ended((await queueUndo(ctx, byOf(actor), job as Awaited<ReturnType<typeof ended>>)).number),
  },
}

it.each(Object.keys(CHANGES))('%s that was waiting for another when a webhook was answered for is told', async (name) => {
  const { kind, begin, make, table = 'Link' } = CHANGES[name] as Change
  const [{ visitor, id }, receiver, code] = [await signedIn(), await Receiver.open(), freshCode()]
  const begun = await begin?.(owner(id), code)
  const holder = await connectTo(url)
  await holder.beginTransaction()
  await holder.query(`SELECT id FROM ${table} WHERE fullShortUrl = ? FOR UPDATE`, [`terse.test/${code}`])
  const asked = vi.spyOn(ctx.listeners, 'hears')
  const made = make(owner(id), code, begun)
  await eventually(() => expect(asked).toHaveBeenCalledWith(kind, id, expect.anything()))
  const events = EVENT_KINDS.filter((one) => one.startsWith('link.') && one !== 'link.clicked')
  const { status } = await visitor.ask(api.postWebhook, 'POST', '/api/v1/webhooks', { url: receiver.url, events })
  expect(status).toBe(201)
  await holder.commit()
  await holder.end()
  await made
  await eventually(() => expect(receiver.received.map(({ text }) => JSON.parse(text).type)).toEqual([kind]))
  asked.mockRestore()
})
