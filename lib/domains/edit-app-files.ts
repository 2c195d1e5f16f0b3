import type { z } from 'zod'
import type { DatabaseGateway } from '@/lib/db/gateway'
import { TerseError } from '@/lib/errors'
import { say } from '@/lib/i18n/message'
import { APP_FILES, type AppFileName, type AppFiles } from './app-files'
import type { AppFilesView, UpdateAppFiles } from './app-files-schema'

interface Context {
  db: DatabaseGateway
  appFiles: AppFiles
}

const NAMES = Object.keys(APP_FILES) as AppFileName[]

/** The files of a domain. @throws TerseError 'not_found', 'unavailable' */
export async function readAppFiles({ db }: Context, domainId: number): Promise<AppFilesView> {
  await hostOf({ db }, domainId)
  const rows = await db.read((client) => client.domainFile.findMany({ where: { domainId } }))
  const contentOf = (name: AppFileName) => {
    const row = rows.find(({ kind }) => kind === APP_FILES[name].kind)
    return row ? JSON.parse(row.content) : null
  }
  return { appleAppSiteAssociation: contentOf('appleAppSiteAssociation'), assetLinks: contentOf('assetLinks') }
}

/**
 * Sets the named files of a domain, or removes them.
 * @returns with them its host
 * @throws TerseError 'not_found', 'unavailable'
 */
export async function updateAppFiles(
  ctx: Context,
  domainId: number,
  input: z.output<typeof UpdateAppFiles>,
): Promise<{ files: AppFilesView; host: string }> {
  const host = await hostOf(ctx, domainId)
  await ctx.db.atomic(async (tx) => {
    for (const name of NAMES) {
      const file = input[name]
      const { kind } = APP_FILES[name]
      if (file === undefined) continue
      await tx.domainFile.deleteMany({ where: { domainId, kind } })
      if (file !== null) await tx.domainFile.createMany({ data: [{ domainId, kind, content: JSON.stringify(file, null, 2) }] })
    }
  })
  ctx.appFiles.forget(host)
  return { files: await readAppFiles(ctx, domainId), host }
}

async function hostOf({ db }: Pick<Context, 'db'>, id: number): Promise<string> {
  const domain = await db.read((client) => client.domain.findUnique({ where: { id }, select: { host: true } }))
  if (!domain) throw new TerseError('not_found', say('api.domain.none'))
  return domain.host
}
