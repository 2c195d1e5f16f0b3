/** Characters that apps show of a card, and a little more. */
export const MOST_TITLE = 200
export const MOST_DESCRIPTION = 500
/** Characters of an image's address. */
export const MOST_IMAGE = 2_048

/** What apps show of a link beside its host. */
export interface Card {
  title: string
  description: string
  /** An http(s) URL. */
  image: string | null
}

/** Whose words they are: those of the page that the link leads to, or its owner's. */
export type PreviewSource = 'destination' | 'custom'

/** What a link's owner chose. */
export type PreviewSetting = { source: 'destination' } | ({ source: 'custom' } & Card)

/** @param preview as it is stored, or read; null: nothing was chosen */
export function previewIn(preview: string | PreviewSetting | null | undefined): PreviewSetting | null {
  return typeof preview === 'string' ? JSON.parse(preview) : (preview ?? null)
}

/** The card that an owner wrote, if there is one. */
export function customCard(preview: string | PreviewSetting | null | undefined): Card | null {
  const setting = previewIn(preview)
  return setting?.source === 'custom' ? setting : null
}
