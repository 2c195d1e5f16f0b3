import { timeOf } from '@/lib/db/id'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { deleteLabel, ensureLabels, findLabels, listLabels, renameLabel, requireLabels } from '@/lib/labels/labels'
import { type LabelView, RenameLabel } from '@/lib/labels/schemas'
import { validate } from '@/lib/tools/validate'
import { json } from '../../problem'
import type { ForeignCall } from '../dialect'
import { numberOf, textOf } from '../fields'
import { idOf, listIn, numberIn } from './names'
import { tagView } from './view'

/** Tags and folders, which are labels here. Each kind has its IDs and its look; colors, descriptions and access are not kept. */
type Kind = 'tag' | 'folder'
const PREFIX = { tag: 'tag', folder: 'fold' } as const

function folderView({ id, name }: LabelView) {
  const createdAt = new Date(timeOf(BigInt(id))).toISOString()
  return { id: idOf('fold', id), name, description: null, type: 'default', accessLevel: 'write', createdAt, updatedAt: createdAt }
}
const VIEW: Readonly<Record<Kind, (label: LabelView) => object>> = { tag: tagView, folder: folderView }

export const list = (kind: Kind) => async (call: ForeignCall) => {
  const { ctx, account, query } = call
  const { tags, folders } = await listLabels(ctx, account.id)
  const term = query.get('search')?.trim().toLowerCase()
  const ids = listIn(query.get('ids'))?.map((id) => String(numberIn(PREFIX[kind], id)))
  const found = (kind === 'tag' ? tags : folders)
    .filter(({ name }) => !term || name.toLowerCase().includes(term))
    .filter(({ id }) => ids === undefined || ids.includes(id))
  // IDs grow with time.
  if (query.get('sortBy') === 'createdAt') found.sort((a, b) => Number(BigInt(a.id) - BigInt(b.id)))
  if (query.get('sortOrder') === 'desc') found.reverse()
  const most = kind === 'tag' ? 100 : 50
  const size = numberOf(query.get('pageSize'), 1, most, most)
  const skip = (numberOf(query.get('page'), 1, 1_000, 1) - 1) * size
  return found.slice(skip, skip + size).map(VIEW[kind])
}

/** The name in a body. @throws TerseError 'validation_failed' */
const nameIn = ({ fields }: ForeignCall) =>
  validate(RenameLabel, { name: textOf(fields, 'name') ?? textOf(fields, 'tag') ?? '' }).name

/** @throws TerseError 'conflict' for a name that is taken */
export const create = (kind: Kind) => async (call: ForeignCall) => {
  const { ctx, account } = call
  const wanted = [{ kind, name: nameIn(call) }] as const
  const [{ name }] = wanted
  if ((await findLabels(ctx, account.id, wanted)).id(wanted[0]) !== undefined) {
    throw new TerseError('conflict', say('api.label.taken', { name }))
  }
  const [id] = requireLabels(await ensureLabels(ctx, account.id, wanted), wanted)
  return json(201, VIEW[kind]({ id: String(id), name }))
}

/** The label that a path names, of this kind. @throws TerseError 'not_found' */
async function asked({ ctx, account, params }: ForeignCall, kind: Kind): Promise<LabelView> {
  const id = String(numberIn(PREFIX[kind], params.id ?? ''))
  const { tags, folders } = await listLabels(ctx, account.id)
  const label = (kind === 'tag' ? tags : folders).find((one) => one.id === id)
  if (!label) throw new TerseError('not_found', say('api.label.none'))
  return label
}

export const edit = (kind: Kind) => async (call: ForeignCall) => {
  const label = await asked(call, kind)
  const isNamed = call.fields.name !== undefined || call.fields.tag !== undefined
  return VIEW[kind](isNamed ? await renameLabel(call.ctx, call.account.id, BigInt(label.id), nameIn(call)) : label)
}

/** Its links stay. */
export const remove = (kind: Kind) => async (call: ForeignCall) => {
  const { id } = await asked(call, kind)
  await deleteLabel(call.ctx, call.account.id, BigInt(id))
  return { id: idOf(PREFIX[kind], id) }
}
