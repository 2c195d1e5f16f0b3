/** How a list of links looks, for the server and the browser alike: the server writes it so from the start. */

export const LAYOUTS = ['rows', 'cards'] as const
export const LOOK_COLUMNS = ['destination', 'clicks', 'trend', 'state', 'created'] as const
export type LookColumn = (typeof LOOK_COLUMNS)[number]

export interface Look {
  layout: (typeof LAYOUTS)[number]
  /** What is shown of each link, besides its address. */
  columns: readonly LookColumn[]
}

/** Name of the cookie that held the look before accounts did. */
export const LOOK_COOKIE = 'links-look'

const DEFAULT_LOOK: Look = { layout: 'rows', columns: LOOK_COLUMNS }

/** @param text as `lookText` writes it; whatever cannot be read is the look that everyone has at first */
export function parseLook(text: string | null | undefined): Look {
  const [first, ...names] = (text ?? '').split('.')
  const layout = LAYOUTS.find((known) => known === first)
  return layout ? { layout, columns: LOOK_COLUMNS.filter((column) => names.includes(column)) } : DEFAULT_LOOK
}

/** A look in a few letters: `cards.clicks.state`. */
export const lookText = ({ layout, columns }: Look): string =>
  [layout, ...LOOK_COLUMNS.filter((column) => columns.includes(column))].join('.')

export const isDefaultLook = (look: Look): boolean => lookText(look) === lookText(DEFAULT_LOOK)
