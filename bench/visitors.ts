import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
]
export const ROBOTS = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
]
/** '' where there is none. */
export const REFERRERS = [
  '',
  '',
  'https://www.google.com/',
  'https://news.example.com/story/4711',
  'https://t.co/abcdefghij',
  'https://m.example.org/',
]
export const LANGUAGES = ['en-US,en;q=0.9', 'de-DE,de;q=0.9,en;q=0.8', 'fr-FR', 'ja', 'pt-BR,pt;q=0.9']

/** As many as have no factor in common with a power of two, so that a link is asked for by all of them in turn. */
const VISITORS = 63
const ACCEPT = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

/** What browsers send besides the address: header lines, each ended by CRLF. */
export const visitors = Array.from({ length: VISITORS }, (_, i) => {
  const pick = (list: readonly string[], step: number) => list[Math.floor(i / step) % list.length] ?? ''
  const referrer = pick(REFERRERS, 2)
  return [
    `User-Agent: ${pick(AGENTS, 1)}`,
    `Accept: ${ACCEPT}`,
    `Accept-Language: ${pick(LANGUAGES, 3)}`,
    'Accept-Encoding: gzip, deflate, br, zstd',
    'Upgrade-Insecure-Requests: 1',
    ...(referrer === '' ? [] : [`Referer: ${referrer}`]),
    '',
  ].join('\r\n')
})

/** The same for bench/wrk/visitors.lua: a visitor a line, with | for the ends of header lines. @returns its path */
export function writeVisitors(dir: string): string {
  const file = join(dir, 'visitors')
  writeFileSync(file, visitors.map((lines) => `${lines.replaceAll('\r\n', '|')}\n`).join(''))
  return file
}
