import type { Account } from '@/lib/actor'
import { hostOf, shortUrlOf } from '@/lib/links/view'
import type { Runtime } from '@/lib/runtime'
import type { ForeignCall } from '../dialect'
import type { FiledLink } from '../links'

/** An account is one group of one organization there. */
export const groupOf = ({ handle }: Pick<Account, 'handle'>) => `B${handle}`
export const organizationOf = ({ handle }: Pick<Account, 'handle'>) => `O${handle}`

/** A time as Bitly writes it. */
export const timeText = (at: Date) => at.toISOString().replace(/\.\d{3}Z$/, '+0000')

/** The absolute address of something in this API. */
export const addressOf = ({ config }: Pick<Runtime, 'config'>, path: string) => new URL(`/v4${path}`, config.BASE_URL).href

/** How a link is named there: its domain and code. */
export const idOf = ({ fullShortUrl, code }: Pick<FiledLink, 'fullShortUrl' | 'code'>) => `${hostOf(fullShortUrl)}/${code}`

/** A link as Bitly shows it. */
export function bitlinkView({ ctx, account }: Pick<ForeignCall, 'ctx' | 'account'>, link: FiledLink) {
  const { title, url, createdAt, expiresAt, filing } = link
  return {
    ...{ created_at: timeText(createdAt), id: idOf(link), link: shortUrlOf(ctx, link), custom_bitlinks: [], long_url: url },
    ...{ title, archived: filing.archived, created_by: account.handle, client_id: '', tags: filing.tags, deeplinks: [] },
    ...(expiresAt && { expiration_at: timeText(expiresAt) }),
    ...{ is_deleted: false, references: { group: addressOf(ctx, `/groups/${groupOf(account)}`) } },
  }
}
