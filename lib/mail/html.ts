import type { Brand } from '@/lib/brand/brand'
import type { Locale } from '@/lib/i18n/languages'
import { translator } from '@/lib/i18n/translate'
import { escapeHtml } from '@/lib/tools/html'

/** Mail programs read the styles that stand on a tag, and most a sheet too: without that links are blue, and nothing is dark. */
const FONT = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif'
const FOOT = 'margin:16px 0 0;font-size:13px;line-height:1.6;color:#5c6068'

/** Plain text as a mail of this deployment: a paragraph for each block, and addresses that can be clicked. */
export function htmlOf(text: string, brand: Brand, baseUrl: string, locale: Locale): string {
  const { light, dark } = brand.accents
  const paragraphs = text
    .trim()
    .split(/\n{2,}/)
    .map((block) => `<p>${linked(escapeHtml(block)).replaceAll('\n', '<br>')}</p>`)
  const sheet = `.card p{margin:0 0 16px}.card a{color:${light.accent}}@media (prefers-color-scheme:dark){.page{background:#111316!important;color:#eceef1!important}.card{background:#191c20!important;border-color:#2b2f36!important}.foot,.foot a{color:#a2a8b2!important}.card a{color:${dark.accent}!important}}`
  return `<!doctype html><html lang="${locale.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><style>${sheet}</style></head>
<body class="page" style="margin:0;background:#f8f8f6;color:#1a1c1f;${FONT};font-size:16px;line-height:1.5"><div class="page" style="padding:24px 16px;background:#f8f8f6;color:#1a1c1f"><div style="max-width:560px;margin:0 auto">
<p style="margin:0 0 16px;font-size:18px;font-weight:600">${markOf(brand, baseUrl)}${escapeHtml(brand.name)}</p>
<div class="card" style="padding:24px 24px 8px;background:#ffffff;border:1px solid #e3e3df;border-radius:14px;overflow-wrap:anywhere">
${paragraphs.join('\n')}
</div>
<p class="foot" style="${FOOT}">${footOf(brand, baseUrl, locale)}</p>
</div></div></body></html>`
}

/** What ends the plain text of a mail. */
export function textFootOf({ name, links }: Brand, baseUrl: string, locale: Locale): string {
  return `\n\n-- \n${[`${lineOf(name, locale)} ${baseUrl}`, ...links.map(({ label, url }) => `${label}: ${url}`)].join('\n')}\n`
}

/** Mail programs draw no SVG: instead of one a tile in the color of the deployment. */
function markOf({ mark, accents }: Brand, baseUrl: string): string {
  const place = 'vertical-align:-5px;margin-right:10px'
  if (mark?.type !== 'image/png')
    return `<span style="display:inline-block;width:24px;height:24px;border-radius:7px;background:${accents.light.brand};${place}"></span>`
  const url = escapeHtml(`${baseUrl}/assets/mark?v=${mark.version}`)
  return `<img src="${url}" width="${Math.round(24 * mark.ratio)}" height="24" alt="" style="border:0;${place}">`
}

function footOf({ name, links }: Brand, baseUrl: string, locale: Locale): string {
  const all = [{ label: new URL(baseUrl).host, url: baseUrl }, ...links]
  const anchors = all.map(({ label, url }) => `<a href="${escapeHtml(url)}" style="color:#5c6068">${escapeHtml(label)}</a>`)
  return `${escapeHtml(lineOf(name, locale))}<br>${anchors.join(' &nbsp; ')}`
}

/** One line on what this is. */
const lineOf = (name: string, locale: Locale) => translator(locale, 'base')('footer.line', { name })

/** After `escapeHtml`, so that no address can end its attribute. */
const linked = (html: string) => html.replace(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`)
