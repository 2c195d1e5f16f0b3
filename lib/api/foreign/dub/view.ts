import type { Link } from '@/lib/db/generated/client'
import { hostOf, shortUrlOf } from '@/lib/links/view'
import { customCard } from '@/lib/previews/values'
import type { RoutingFields } from '@/lib/routing/routing'
import { parseUrl } from '@/lib/tools/url'
import type { ForeignCall } from '../dialect'
import { clicksOf, type FiledLink, filed, filedOne } from '../links'
import { idOf, KnownNames } from './names'
import { targetsIn } from './targets'

/** Colors of tags are not kept: all of them have this one of theirs. */
const COLOR = 'gray'
export const tagView = ({ id, name }: { id: string; name: string }) => ({ id: idOf('tag', id), name, color: COLOR })

export const UTM = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const

export const routingOf = ({ routing }: Link): RoutingFields => (routing === null ? {} : JSON.parse(routing))

/** Where everyone sees the QR code of a link, or else where those who have a key do. */
function qrCodeOf({ ctx }: Pick<ForeignCall, 'ctx'>, link: Link): string {
  const shortUrl = shortUrlOf(ctx, link)
  if (ctx.domains.find(hostOf(link.fullShortUrl))?.qrCodes) return `${shortUrl}.qr.png`
  return new URL(`/dub/qr?${new URLSearchParams({ url: shortUrl })}`, ctx.config.BASE_URL).href
}

/** Links as Dub shows them. Of what came of clicks it tells nothing, which its SDK shows as 0. */
export async function linkViews(call: Pick<ForeignCall, 'ctx' | 'actor' | 'account'>, links: readonly Link[]) {
  const names = await KnownNames.of(call)
  return (await filed(call, links)).map((link) => shown(call, link, names))
}

/** The same of one. */
export async function linkView(call: Pick<ForeignCall, 'ctx' | 'actor' | 'account'>, link: Link) {
  return shown(call, await filedOne(call, link), await KnownNames.of(call))
}

function shown({ ctx, account }: Pick<ForeignCall, 'ctx' | 'account'>, link: FiledLink, names: KnownNames) {
  const { filing, url, title, createdAt, updatedAt, expiresAt, expiredUrl } = link
  const card = customCard(link.preview)
  const tags = filing.tags.flatMap((name) => names.tag(name) ?? []).map(tagView)
  const folder = filing.folder === null ? undefined : names.folder(filing.folder)
  const parameters = parseUrl(url)?.searchParams ?? new URLSearchParams()
  const workspace = idOf('ws', account.handle)
  const { ios, android, geo, testVariants, testCompletedAt } = targetsIn(routingOf(link))
  return {
    ...{ id: idOf('link', link.id), domain: hostOf(link.fullShortUrl), key: link.code, url, shortLink: shortUrlOf(ctx, link) },
    ...{ qrCode: qrCodeOf({ ctx }, link), externalId: null, tenantId: null, programId: null, partnerId: null },
    ...{ archived: filing.archived, expiresAt: expiresAt?.toISOString() ?? null, expiredUrl },
    disabledAt: link.state === 'active' ? null : updatedAt.toISOString(),
    // Kept as a hash: whether there is one is all that can be told.
    password: link.passwordHash === null ? null : '********',
    ...{ proxy: link.preview !== null, title: title || card?.title || null, description: card?.description || null },
    ...{ image: card?.image ?? null, video: null, rewrite: false, doIndex: false, publicStats: false, trackConversion: false },
    ...{ ios, android, geo, testVariants, testStartedAt: null, testCompletedAt },
    ...{ tags, tagId: tags[0]?.id ?? null, folderId: folder ? idOf('fold', folder.id) : null, comments: filing.comment || null },
    ...Object.fromEntries(UTM.map((name) => [name, parameters.get(name)])),
    ...{ userId: idOf('user', account.handle), workspaceId: workspace, projectId: workspace, webhookIds: [] },
    ...{ clicks: clicksOf(link), lastClicked: null },
    ...{ createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() },
  }
}
