import { createHash } from 'node:crypto'
import { type Brand, markHtml } from '@/lib/brand/brand'
import { SCHEME_COOKIE } from '@/lib/brand/scheme'
import { addressIn } from '@/lib/forms/shared'
import type { Language, Locale } from '@/lib/i18n/languages'
import { translator } from '@/lib/i18n/translate'
import { styleOf } from '@/lib/redirect/style'
import { escapeHtml } from '@/lib/tools/html'
import { keepUrls, type Words } from './script'
import { MOST_WAITING, WAITING_KEY } from './waiting'
import { workerUrl } from './worker'

/** The front page for a browser without a network: takes URLs and keeps them (docs/decisions/0030-offline.md). */
export interface OfflinePage {
  html: string
  /** Its Content-Security-Policy: this very style and script, and requests to nowhere else. */
  policy: string
  /** Address of the worker that keeps this very page. */
  worker: string
}

/** The page in each language, made when it is first asked for. It is one file, so that no part is missing without a network. */
export class OfflinePages {
  private readonly made: Partial<Record<Language, OfflinePage>> = {}

  constructor(private readonly brand: Brand) {}

  in(locale: Locale): OfflinePage {
    const page = this.made[locale.language] ?? make(this.brand, locale)
    this.made[locale.language] = page
    return page
  }
}

const MORE_STYLE = `
#said:empty{display:none}#said{margin:16px 0 0}h2{margin:28px 0 4px;font-size:14px;font-weight:600}ul{margin:0;padding:0;list-style:none}
li{display:flex;gap:12px;align-items:center;padding:4px 0;border-top:1px solid var(--line);font-size:14px}li span{flex:1;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
li button{flex:none;min-height:44px;padding:0 4px;font:inherit;font-weight:500;color:var(--accent);background:none;border:0;cursor:pointer}section>.plain{margin-top:12px}`

/** The scheme that somebody chose, before anything is drawn. */
const schemeScript = `document.documentElement.dataset.scheme=(/(?:^|; )${SCHEME_COOKIE}=(\\w+)/.exec(document.cookie)||[])[1]||'system'`

function make(brand: Brand, locale: Locale): OfflinePage {
  const t = translator(locale, 'offline')
  const style = styleOf(brand) + brand.schemes + MORE_STYLE
  const forms = translator(locale, 'forms')
  const words: Words = {
    kept: t('kept'),
    none: forms('url'),
    wrong: forms('destination.whole'),
    refused: t('refused'),
    remove: t('remove'),
  }
  const values = [WAITING_KEY, MOST_WAITING, words].map((value) => JSON.stringify(value).replaceAll('<', '\\u003c'))
  const script = `(${keepUrls})(${values},${addressIn})`
  const name = escapeHtml(brand.name)
  const html =
    `<!doctype html><html lang="${locale.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">` +
    `<meta name="robots" content="noindex"><title>${escapeHtml(t('title'))} · ${name}</title><style>${style}</style><script>${schemeScript}</script></head>` +
    `<body><header><a href="/">${mark(brand)}${name}</a></header><main><section>` +
    `<h1>${escapeHtml(t('title'))}</h1><p>${escapeHtml(t('text', { name: brand.name }))}</p>` +
    `<form id="form" novalidate><label for="url">${escapeHtml(translator(locale, 'links')('shorten.url'))}</label><input id="url" inputmode="url" autocapitalize="none" autocomplete="off" spellcheck="false" aria-describedby="said">` +
    `<p id="said" role="status"></p><button class="button">${escapeHtml(t('keep'))}</button></form><a class="button plain" href="/">${escapeHtml(t('again'))}</a>` +
    `<div id="waiting" hidden><h2 id="kept">${escapeHtml(t('waiting'))}</h2><ul id="list" aria-labelledby="kept"></ul></div></section></main>` +
    `<script>${script}</script></body></html>`
  const scripts = [schemeScript, script].map(hashOf).join(' ')
  const policy = `default-src 'none'; style-src ${hashOf(style)}; script-src ${scripts}; img-src data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`
  const version = createHash('sha256').update(html).digest('hex').slice(0, 12)
  return { html, policy, worker: workerUrl(locale.language, version) }
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Without a request for the file of a mark. */
function mark(brand: Brand): string {
  if (!brand.mark) return markHtml(brand)
  const { type, bytes, ratio } = brand.mark
  return `<img src="data:${type};base64,${bytes.toString('base64')}" width="${Math.round(24 * ratio)}" height="24" alt="">`
}
