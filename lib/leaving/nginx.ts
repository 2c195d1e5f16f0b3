// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are variables of other languages

import { hashComment, type SetFormat, type SetWriter } from './set-writer'
import type { StaticLink } from './static-link'

/** Links of one `map`: so many are held at a time. */
const CHUNK = 50_000
/** nginx reads no longer parameter: its buffer has 4,096 bytes. */
const MOST_BYTES = 4_000
const DOLLAR = '${terse_dollar}'

/** A parameter in quotes. */
const quoted = (text: string) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\t', '\\t')}"`

/** A value, in which `$` would begin a variable: no escape is known for it, so a variable holds one. */
const value = (text: string) => quoted(text).replaceAll('$', DOLLAR)

/** The path of any case, in a value: no code has an asterisk. */
const ANY_CASE = '/*'

/**
 * nginx: `map`s from host and path to what a link answers. **The keys of a map ignore case**, and exact locations, which do
 * not, cost kilobytes each. So the value of a key names all links whose codes differ in their capitals alone, each with its path,
 * status and destination, and one regular expression takes the one whose path is the same. A request costs one lookup for each
 * 50,000 links.
 */
class NginxWriter implements SetWriter {
  /** Values by key, of this map. */
  private readonly values = new Map<string, string>()
  private maps = 0

  head(notes: readonly string[]): string {
    return [
      hashComment(notes),
      '# The limits of all maps of this nginx: if you have set them already, keep the greater ones.',
      'map_hash_max_size 1048576;',
      'map_hash_bucket_size 1024;',
      'geo $terse_dollar { default "$"; }',
      '# The path without its last slash; none with control characters.',
      'map $uri $terse_path {',
      '    "~[\\x00-\\x1f]" "";',
      '    "~^(?<terse_bare>/.+)/$" $terse_bare;',
      '    default $uri;',
      '}',
      '',
    ].join('\n')
  }

  add(link: StaticLink): string | { leftOut: 'long' } {
    const path = `/${link.code}`
    const key = `${link.host}${path}`
    const text = [link.isFolded ? ANY_CASE : path, link.status, link.url].join('\t')
    const folded = key.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
    const isLong = (one: string) => Buffer.byteLength(value(one)) > MOST_BYTES
    if (isLong(text) || Buffer.byteLength(quoted(folded)) > MOST_BYTES / 4) return { leftOut: 'long' }
    const others = this.values.get(folded)
    const both = others === undefined ? text : `${others}\t${text}`
    let written = ''
    if (this.values.size >= CHUNK || (others !== undefined && isLong(both))) written = this.flush()
    this.values.set(folded, this.values.size === 0 ? text : both)
    return written
  }

  private flush(): string {
    if (this.values.size === 0) return ''
    this.maps += 1
    const lines = Array.from(this.values, ([key, text]) => `    ${quoted(key)} ${value(text)};`)
    this.values.clear()
    return `map "$host$terse_path" $terse_links_${this.maps} {\n${lines.join('\n')}\n}\n`
  }

  end(hosts: readonly string[], notes: readonly string[]): string {
    const last = this.flush()
    const all = Array.from({ length: this.maps }, (_, at) => `$terse_links_${at + 1}`).join('\\t')
    const found = `"$terse_path\\t${all}"`
    const link = '"~^(?<terse_asked>[^\\t]+)\\t(?:.*\\t)?(?:\\k<terse_asked>|/\\*)\\t'
    return [
      last,
      `map ${found} $terse_status {`,
      `    ${link}(?<terse_answer>30[1278])\\t" $terse_answer;`,
      '    default 404;',
      '}',
      `map ${found} $terse_url {`,
      `    ${link}30[1278]\\t(?<terse_to>[^\\t]+)" $terse_to;`,
      '    default "";',
      '}',
      '',
      '# The server that answers:',
      hashComment([...serverOf(hosts), '', ...notes]),
    ].join('\n')
  }
}

const serverOf = (hosts: readonly string[]): string[] => [
  'server {',
  '    listen 80;',
  `    server_name ${hosts.join(' ') || '_'};`,
  '    location / {',
  ...[301, 302, 307, 308].map((status) => `        if ($terse_status = ${status}) { return ${status} $terse_url; }`),
  '        return 404;',
  '    }',
  '}',
]

export const nginx: SetFormat = {
  file: 'terse-nginx.conf',
  type: 'text/plain; charset=utf-8',
  knowsTime: false,
  isOfOneHost: false,
  limits: [
    'For nginx 1.11 or newer, which reads maps as variables. Include it in the http block; the server that answers is at its end.',
    'Links of more than 4,000 bytes are left out: nginx reads no longer parameter.',
    'On domains that ignore case, capitals are the same for the letters A to Z alone.',
  ],
  writer: () => new NginxWriter(),
}
