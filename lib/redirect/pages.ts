import { createHash } from 'node:crypto'
import { brandMark, themeCss } from '@/lib/brand'
import { unicodeHost } from '@/lib/net/shown-host'
import { escapeHtml } from '@/lib/tools/html'
import type { Page, PageName, RawHeaders } from './decide'
import type { LinkRecord } from './record'

interface Words {
  title: string
  text: string
}

const WORDS: Record<Exclude<PageName, 'preview'>, Words> = {
  password: { title: 'This link asks for a password', text: 'The person who gave you the link can tell you the password.' },
  'not-found': {
    title: 'There is no such link',
    text: 'Check the address for a typing error. Upper and lower case matter.',
  },
  gone: { title: 'This link was deleted', text: 'It leads nowhere any more.' },
  inactive: { title: 'This link is not active yet', text: 'It starts to work later. Try again then.' },
  expired: { title: 'This link has expired', text: 'Ask the person who gave it to you for a new one.' },
  disabled: { title: 'This link is switched off', text: 'Its owner turned it off.' },
  banned: { title: 'This link was banned', text: 'It broke the rules of this site and leads nowhere any more.' },
  malformed: {
    title: 'This address cannot be read',
    text: 'It holds a “%” that is not followed by two digits or letters it could mean.',
  },
  unavailable: { title: 'Try again in a moment', text: 'We cannot look this link up right now. It is not lost.' },
  'too-many': { title: 'Too many attempts', text: 'Try again in a few minutes.' },
}

const STYLE = `${themeCss}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:flex;flex-direction:column;background:var(--bg);color:var(--fg);font:16px/1.55 var(--font)}
header{padding:20px 24px}header a{display:inline-flex;align-items:center;gap:10px;color:var(--fg);text-decoration:none;font-weight:600}
main{flex:1;display:flex;align-items:center;justify-content:center;padding:16px 24px 96px}
section{width:100%;max-width:480px;background:var(--surface);border:1px solid var(--line);border-radius:calc(var(--radius) + 4px);padding:32px}
h1{margin:0 0 8px;font-size:22px;line-height:1.3;letter-spacing:-.01em}p{margin:0 0 16px;color:var(--muted)}p:last-child{margin:0}
.url{margin:0 0 20px;padding:12px 14px;border:1px solid var(--line);border-radius:var(--radius);background:var(--bg);overflow-wrap:anywhere;font-family:var(--mono);font-size:14px}
.url strong{font-weight:600}label{display:block;margin:20px 0 6px;font-weight:500}
input{width:100%;padding:11px 13px;font:inherit;color:var(--fg);background:var(--bg);border:1px solid var(--line-strong);border-radius:var(--radius)}
.button{display:block;width:100%;margin-top:16px;padding:12px 16px;font:inherit;font-weight:600;text-align:center;text-decoration:none;color:var(--accent-fg);background:var(--accent);border:0;border-radius:var(--radius);cursor:pointer}
.button:hover{background:var(--accent-hover)}:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
section .report{margin:20px 0 0;font-size:14px}.report a{color:var(--accent)}.error{margin:8px 0 0;color:var(--danger);font-size:14px}@media (max-width:480px){main{align-items:flex-start}section{padding:24px}}`

/** For the Content-Security-Policy of every page: nothing but this very style, and no script at all. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; frame-ancestors 'none'`

export interface PageFacts extends Omit<Page, 'name'> {
  /** Address of the front page. */
  baseUrl: string
  /** Where this link can be reported; null where there is none. */
  reportUrl?: string | null
}

/** A page as the client reads it, and the headers that go with it. @param accept the Accept header */
export function present(
  { name, record, wrongPassword, refusal }: Page,
  accept: string,
  { baseUrl, reportUrl }: Omit<PageFacts, keyof Page>,
): { headers: RawHeaders; body: string } {
  // Named one by one: to spread two objects took a twentieth of the time of an unknown code.
  const facts = { record, wrongPassword, refusal, baseUrl, reportUrl }
  const html = accept.includes('text/html')
  const headers = [
    'Content-Type',
    html ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8',
    'Vary',
    'Accept',
    'X-Content-Type-Options',
    'nosniff',
    'Referrer-Policy',
    'no-referrer',
  ]
  if (html) headers.push('Content-Security-Policy', PAGE_POLICY)
  return { headers, body: html ? renderPage(name, facts) : renderText(name, facts) }
}

/** A whole page as HTML. */
export function renderPage(page: PageName, facts: PageFacts): string {
  const title = page === 'preview' ? 'Where this link leads' : WORDS[page].title
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${escapeHtml(title)} · Terse</title><style>${STYLE}</style></head><body><header><a href="${escapeHtml(facts.baseUrl)}/">${brandMark}Terse</a></header><main><section><h1>${escapeHtml(title)}</h1>${bodyOf(page, facts)}${reportLink(page, facts)}</section></main></body></html>`
}

/** The same for those who do not read HTML. */
export function renderText(page: PageName, facts: PageFacts): string {
  if (page === 'preview') return `${facts.record?.url ?? ''}\n`
  const why = page === 'banned' && facts.record?.banReason ? ` Why: ${facts.record.banReason}` : ''
  return `${WORDS[page].title}. ${facts.refusal ?? WORDS[page].text}${why}\n`
}

function bodyOf(page: PageName, { record, wrongPassword, baseUrl, refusal }: PageFacts): string {
  if (page === 'preview') return previewBody(record)
  const text = `<p>${escapeHtml(refusal ?? WORDS[page].text)}</p>`
  // A GET of this very address: to reload the page would send its form again.
  if (page === 'too-many') return `${text}<a class="button" href="">Back to the link</a>`
  if (page === 'password') return text + passwordForm(wrongPassword ?? false)
  if (page === 'banned' && record?.banReason) return `${text}<p><strong>Why:</strong> ${escapeHtml(record.banReason)}</p>`
  if (page === 'not-found') return `${text}<a class="button" href="${escapeHtml(baseUrl)}/">Shorten a link of your own</a>`
  return text
}

/** On pages where a visitor still decides whether to trust a link. */
function reportLink(page: PageName, { reportUrl }: PageFacts): string {
  if (!reportUrl || (page !== 'preview' && page !== 'password')) return ''
  return `<p class="report">Something wrong with it? <a href="${escapeHtml(reportUrl)}">Report this link</a></p>`
}

function passwordForm(wrong: boolean): string {
  const error = wrong ? '<p class="error" id="error" role="alert">That is not the password. Try again.</p>' : ''
  const described = wrong ? ' aria-describedby="error" aria-invalid="true"' : ''
  return `<form method="post"><label for="password">Password</label><input id="password" name="password" type="password" required autofocus autocomplete="off" maxlength="256"${described}>${error}<button class="button">Open the link</button></form>`
}

function previewBody(record: LinkRecord | null): string {
  if (!record) return ''
  const url = new URL(record.url)
  const host = escapeHtml(unicodeHost(url.host))
  // Cut, not put together again: an empty query or fragment would be lost.
  const rest = escapeHtml(record.url.slice(`${url.protocol}//${url.host}`.length))
  const title = record.title ? `<p>${escapeHtml(record.title)}</p>` : ''
  return `${title}<div class="url">${escapeHtml(url.protocol)}//<strong>${host}</strong>${rest}</div><a class="button" rel="noreferrer noopener" href="${escapeHtml(record.url)}">Go to ${host}</a>`
}
