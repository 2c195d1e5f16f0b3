import type { Transaction } from '@/lib/db/client'
import { isUniqueViolation } from '@/lib/db/errors'
import type { DatabaseGateway } from '@/lib/db/gateway'
import type { UtmTemplate } from '@/lib/db/generated/client'
import { nextId } from '@/lib/db/id'
import { invalidField, TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { nameKeyOf } from '@/lib/labels/names'
import type { CreateUtmTemplate, UpdateUtmTemplate, UtmTemplateView } from './schemas'
import { MOST_TEMPLATES, UTM_NAMES, type Utm } from './values'

interface Context {
  db: DatabaseGateway
}

const NONE: Utm = { source: '', medium: '', campaign: '', term: '', content: '' }

/** All templates of an account, by name. @throws TerseError 'unavailable' */
export async function listTemplates({ db }: Context, ownerId: string): Promise<UtmTemplateView[]> {
  const rows = await db.read((client) => client.utmTemplate.findMany({ where: { ownerId }, orderBy: { nameKey: 'asc' } }))
  return rows.map(viewOf)
}

/** @throws TerseError 'conflict' for a name that is taken, or one too many; 'unavailable' */
export async function createTemplate({ db }: Context, ownerId: string, input: CreateUtmTemplate): Promise<UtmTemplateView> {
  const row: UtmTemplate = { ...NONE, ...input, id: nextId(), ownerId, nameKey: nameKeyOf(input.name) }
  await unlessTaken(input.name, () =>
    db.atomicOf(ownerId, async (tx) => {
      if ((await tx.utmTemplate.count({ where: { ownerId } })) >= MOST_TEMPLATES) {
        throw new TerseError('conflict', say('api.utm.tooMany', { most: MOST_TEMPLATES }))
      }
      await tx.utmTemplate.createMany({ data: [row] })
    }),
  )
  return viewOf(row)
}

/**
 * Changes only the given fields of a template.
 * @throws TerseError 'not_found', 'conflict' for a name that is taken, 'validation_failed' where no value is left, 'unavailable'
 */
export async function updateTemplate(
  { db }: Context,
  ownerId: string,
  id: bigint,
  input: UpdateUtmTemplate,
): Promise<UtmTemplateView> {
  const { name } = input
  return unlessTaken(name ?? '', () =>
    db.atomic(async (tx) => {
      // Locked, so that of two edits at once the second sees the result of the first.
      await tx.$queryRaw`SELECT id FROM UtmTemplate WHERE id = ${id} FOR UPDATE`
      const row = await tx.utmTemplate.findFirst({ where: { id, ownerId } })
      if (!row) throw noTemplate()
      const data: UtmTemplate = { ...row, ...input, ...(name !== undefined && { nameKey: nameKeyOf(name) }) }
      if (UTM_NAMES.every((one) => data[one] === '')) throw invalidField('source', say('forms.utm.empty'))
      await tx.utmTemplate.updateMany({ where: { id }, data })
      return viewOf(data)
    }),
  )
}

/** @throws TerseError 'not_found', 'unavailable' */
export async function deleteTemplate({ db }: Context, ownerId: string, id: bigint): Promise<void> {
  const { count } = await db.write((client) => client.utmTemplate.deleteMany({ where: { id, ownerId } }))
  if (count === 0) throw noTemplate()
}

/** Deletes the templates of an account that is removed. */
export async function deleteTemplatesOf(tx: Transaction, ownerId: string): Promise<void> {
  await tx.utmTemplate.deleteMany({ where: { ownerId } })
}

async function unlessTaken<T>(name: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isUniqueViolation(error, 'UtmTemplate_ownerId_nameKey_key')) throw error
    const message = say('api.label.taken', { name })
    throw new TerseError('conflict', message, { errors: [{ path: 'name', message }], cause: error })
  }
}

const noTemplate = () => new TerseError('not_found', say('api.template.none'))

const viewOf = ({ id, name, source, medium, campaign, term, content }: UtmTemplate): UtmTemplateView => ({
  id: id.toString(),
  ...{ name, source, medium, campaign, term, content },
})
