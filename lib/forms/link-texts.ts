import type { LinkView } from '@/lib/links/schemas'
import { type LinkTexts, NEW_LINK } from './link'
import { previewText } from './preview'
import { routingText } from './routing'

/** A link as the texts of its fields. @param showTime the text of a time, as its input shows it */
export const textsOf = (view: LinkView, showTime: (iso: string | null) => string): LinkTexts => ({
  ...NEW_LINK,
  url: view.url,
  title: view.title,
  tags: (view.tags ?? []).join(', '),
  folder: view.folder ?? '',
  comment: view.comment ?? '',
  startsAt: showTime(view.startsAt),
  expiresAt: showTime(view.expiresAt),
  maxClicks: String(view.maxClicks ?? ''),
  expiredUrl: view.expiredUrl ?? '',
  routing: routingText(view.routing ?? {}),
  preview: previewText(view.preview),
  redirectStatus: String(view.redirectStatus),
  enabled: view.state === 'disabled' ? 'off' : 'on',
  listed: view.listed ? 'on' : 'off',
  publicHistory: view.publicHistory ? 'on' : 'off',
})
