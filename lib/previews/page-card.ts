import { Parser } from 'htmlparser2'
import { Breath } from '@/lib/tools/breath'
import { toLine } from '@/lib/tools/line'
import { parseUrl } from '@/lib/tools/url'
import { textOf } from './charset'
import { type Card, MOST_DESCRIPTION, MOST_IMAGE, MOST_TITLE } from './values'

/** Characters that are parsed at a time, and of a text that are looked at. */
const PIECE = 4_096
const MOST_RAW = 10_000
/** Tags of a head. The parser looks through all that are open for each that follows: a million would take it hours. */
const MOST_TAGS = 2_000

/** Names of what a page says of itself, the best first. */
const TITLES = ['og:title', 'twitter:title', 'title'] as const
const DESCRIPTIONS = ['og:description', 'twitter:description', 'description'] as const
const IMAGES = ['og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src'] as const
const KNOWN: ReadonlySet<string> = new Set([...TITLES, ...DESCRIPTIONS, ...IMAGES])

/**
 * What an HTML page says of itself to apps that show a card of it. Read in short stretches.
 * @param contentType its header
 * @param at where it is: images may be named from there
 * @returns null for a page without a title
 */
export async function cardOf(body: Uint8Array, contentType: string, at: URL): Promise<Card | null> {
  const said = await saidIn(textOf(body, contentType))
  const first = (names: readonly string[]) => names.map((name) => said.get(name) ?? '').find((text) => text !== '') ?? ''
  const title = shortened(first(TITLES), MOST_TITLE)
  if (title === '') return null
  const image = IMAGES.map((name) => imageOf(said.get(name), at)).find((url) => url !== null) ?? null
  return { title, description: shortened(first(DESCRIPTIONS), MOST_DESCRIPTION), image }
}

/** By name what the head of a page says first, cleaned. Nothing behind the head is read: there others may write. */
async function saidIn(html: string): Promise<Map<string, string>> {
  const said = new Map<string, string>()
  let isDone = false
  let depth = 0
  let tags = 0
  let title: string | null = null
  const keep = (name: string, text: string) => {
    if (!said.has(name)) said.set(name, toLine(text.slice(0, MOST_RAW)).replace(/\s+/g, ' '))
  }
  const parser = new Parser({
    onopentag(name, attributes) {
      if (isDone) return
      tags += 1
      if (name === 'body' || tags > MOST_TAGS) isDone = true
      else if (name === 'svg') depth += 1
      else if (name === 'title' && depth === 0 && !said.has('title')) title = ''
      else if (name === 'meta') {
        const key = (attributes.property ?? attributes.name ?? '').trim().toLowerCase()
        if (KNOWN.has(key) && key !== 'title' && attributes.content) keep(key, attributes.content)
      }
    },
    ontext(text) {
      if (title !== null && title.length < MOST_RAW) title += text
    },
    onclosetag(name) {
      if (name === 'head') isDone = true
      else if (name === 'svg') depth -= 1
      else if (name === 'title' && title !== null) {
        keep('title', title)
        title = null
      }
    },
  })
  const breath = new Breath()
  for (let begin = 0; begin < html.length && !isDone; begin += PIECE) {
    parser.write(html.slice(begin, begin + PIECE))
    if (breath.isDue) await breath.pause()
  }
  if (!isDone) parser.end()
  return said
}

/** At most so many characters, none of them cut in two. */
function shortened(text: string, most: number): string {
  if (text.length <= most) return text
  const characters = [...text]
  return characters.length <= most
    ? text
    : `${characters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}

/** The address of an image that anyone may ask for; null for any other. */
function imageOf(text: string | undefined, at: URL): string | null {
  const url = text ? parseUrl(text, at) : null
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null
  return url.username !== '' || url.password !== '' || url.href.length > MOST_IMAGE ? null : url.href
}
