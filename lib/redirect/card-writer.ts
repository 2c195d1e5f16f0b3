import type { Card } from '@/lib/previews/values'
import { escapeHtml } from '@/lib/tools/html'

/** It has nothing but text. */
export const CARD_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export interface CardPlace {
  /** The short link: what the card is of. Facebook reads the tags of whatever URL is named here. */
  shortUrl: string
  /** Where a person goes on who got this by mistake. */
  to: string
  language: string
}

/** The page from which apps make a card of a link. @param card null: nothing is told but the link itself */
export function cardHtml(card: Card | null, { shortUrl, to, language }: CardPlace): string {
  const { title, description, image }: Card = card ?? { title: new URL(shortUrl).host, description: '', image: null }
  const text = escapeHtml(title)
  const tags = [
    ['og:type', 'website'],
    ['og:url', shortUrl],
    ['og:site_name', new URL(shortUrl).host],
    ['og:title', title],
    ['og:description', description],
    ['og:image', image ?? ''],
  ].filter(([, content]) => content !== '')
  const open = tags.map(([name, content]) => `<meta property="${name}" content="${escapeHtml(content ?? '')}">`).join('')
  const named = `<meta name="twitter:card" content="${image === null ? 'summary' : 'summary_large_image'}">`
  const said = description === '' ? '' : `<meta name="description" content="${escapeHtml(description)}">`
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${text}</title><link rel="canonical" href="${escapeHtml(shortUrl)}">${said}${open}${named}</head><body><p><a rel="noreferrer noopener" href="${escapeHtml(to)}">${text}</a></p></body></html>`
}
