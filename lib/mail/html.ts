import { escapeHtml } from '@/lib/tools/html'

/** Plain text as a simple HTML page: a paragraph for each block, and addresses that can be clicked. */
export function htmlOf(text: string): string {
  const paragraphs = text
    .trim()
    .split(/\n{2,}/)
    .map((block) => `<p>${linked(escapeHtml(block)).replaceAll('\n', '<br>')}</p>`)
  return `<!doctype html><html><body style="font-family: sans-serif; line-height: 1.5">${paragraphs.join('\n')}</body></html>`
}

/** After `escapeHtml`, so that no address can end its attribute. */
const linked = (html: string) => html.replace(/https?:\/\/[^\s<]+/g, (url) => `<a href="${url}">${url}</a>`)
