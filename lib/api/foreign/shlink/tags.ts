import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { countsOfLabel } from '@/lib/labels/counts'
import { deleteLabel, findLabels, listLabels, renameLabel } from '@/lib/labels/labels'
import { RenameLabel } from '@/lib/labels/schemas'
import { accountTotals } from '@/lib/overview/totals'
import { validate } from '@/lib/tools/validate'
import type { ForeignCall } from '../dialect'
import { textOf } from '../fields'
import { listIn, paginationOf, pagingOf } from './paging'
import { summaryOf } from './view'

/** Tags that an account can have, so all of them by default. */
const ALL = 1_000
/** Tags whose numbers are read at once. */
const AT_ONCE = 10

interface Tag {
  id: string
  name: string
}

async function tagsOf({ ctx, account, query }: ForeignCall): Promise<Tag[]> {
  const { tags } = await listLabels(ctx, account.id)
  const term = query.get('searchTerm')?.toLowerCase()
  return term ? tags.filter(({ name }) => name.toLowerCase().includes(term)) : tags
}

export async function listTags(call: ForeignCall) {
  const paging = pagingOf(call.query, ALL, ALL)
  const all = (await tagsOf(call)).map(({ name }) => name)
  if (call.query.get('orderBy') === 'tag-DESC') all.reverse()
  const data = all.slice(paging.skip, paging.skip + paging.size)
  return { tags: { data, pagination: paginationOf(paging, all.length, data.length) } }
}

/** Bots are not counted by tag: as many are told as the whole account has on average. */
export async function tagsStats(call: ForeignCall) {
  const { ctx, account, query } = call
  const paging = pagingOf(query, ALL, ALL)
  const tags = await tagsOf(call)
  const totals = await accountTotals(ctx.db, account.id)
  const share = totals.clicks === 0 ? 0 : totals.bots / totals.clicks
  const [field = 'tag', direction] = (query.get('orderBy') ?? 'tag-ASC').split('-')
  const numbered = async (some: readonly Tag[]) => {
    const rows = []
    for (let i = 0; i < some.length; i += AT_ONCE) {
      const piece = some.slice(i, i + AT_ONCE)
      rows.push(
        ...(await Promise.all(piece.map(async (tag) => ({ tag: tag.name, ...(await countsOfLabel(ctx, BigInt(tag.id))) })))),
      )
    }
    return rows
  }
  const part = <T>(list: readonly T[]) => list.slice(paging.skip, paging.skip + paging.size)
  let rows: Awaited<ReturnType<typeof numbered>>
  if (field === 'tag') rows = await numbered(part(direction === 'DESC' ? tags.toReversed() : tags))
  else {
    const of = field === 'shortUrlsCount' ? 'links' : 'clicks'
    const all = (await numbered(tags)).sort((a, b) => a[of] - b[of])
    rows = part(direction === 'DESC' ? all.reverse() : all)
  }
  const data = rows.map(({ tag, links, clicks }) => ({
    ...{ tag, shortUrlsCount: links, visitsSummary: summaryOf(clicks, Math.round(clicks * share)) },
  }))
  return { tags: { data, pagination: paginationOf(paging, tags.length, data.length) } }
}

/** Tags that there are not are gone already. */
export async function deleteTags({ ctx, account, query }: ForeignCall): Promise<Response> {
  const wanted = listIn(query, 'tags').map((name) => ({ kind: 'tag', name }) as const)
  const known = await findLabels(ctx, account.id, wanted.slice(0, ALL))
  for (const one of wanted) {
    const id = known.id(one)
    if (id !== undefined) await deleteLabel(ctx, account.id, id)
  }
  return NOTHING()
}

export async function renameTag({ ctx, account, fields }: ForeignCall): Promise<Response> {
  const [oldName, newName] = [textOf(fields, 'oldName'), textOf(fields, 'newName')]
  if (!oldName || !newName) {
    const errors = [...(oldName ? [] : ['oldName']), ...(newName ? [] : ['newName'])]
    const message = say('forms.label.none')
    throw new TerseError('validation_failed', message, { errors: errors.map((path) => ({ path, message })) })
  }
  const tag = { kind: 'tag', name: oldName } as const
  const id = (await findLabels(ctx, account.id, [tag])).id(tag)
  if (id === undefined) throw new TerseError('not_found', say('api.label.none'))
  await renameLabel(ctx, account.id, id, validate(RenameLabel, { name: newName }).name)
  return NOTHING()
}

const NOTHING = () => new Response(null, { status: 204, headers: { 'Cache-Control': 'no-store' } })
