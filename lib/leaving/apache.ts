// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are variables of other languages

import { hashComment, type SetFormat, type SetWriter } from './set-writer'
import type { StaticLink } from './static-link'

/** mod_rewrite and httxt2dbm read lines of at most 1,024 bytes. */
const MOST_BYTES = 1_000

/** What `escape:` of mod_rewrite leaves as it is: ap_os_escape_path of Apache 2.4. */
const UNESCAPED = /[A-Za-z0-9$\-_.+!*'(),:;@&=/~]/

/** A path as `escape:` writes it. */
const escaped = (path: string): string =>
  Array.from(Buffer.from(path), (byte) => {
    const character = String.fromCharCode(byte)
    return UNESCAPED.test(character) ? character : `%${byte.toString(16).padStart(2, '0')}`
  }).join('')

/**
 * Apache: a text map of mod_rewrite, from host and path to status and destination. A key stands for one spelling; those of
 * domains that ignore case have a mark before them, and are looked for in small letters. The Location is set by mod_headers:
 * mod_rewrite takes destinations apart, and writes some of them otherwise.
 */
class ApacheWriter implements SetWriter {
  head(notes: readonly string[]): string {
    return hashComment([...notes, '', ...VIRTUAL_HOST])
  }

  add({ host, code, isFolded, status, url }: StaticLink): string | { leftOut: 'long' } {
    const key = `${isFolded ? '*' : ''}${host}${escaped(`/${code}`)}`
    const line = `${key} ${status}:${url}\n`
    return Buffer.byteLength(line) > MOST_BYTES ? { leftOut: 'long' } : line
  }

  end(_hosts: readonly string[], notes: readonly string[]): string {
    return hashComment(notes)
  }
}

const VIRTUAL_HOST = [
  'Turn on mod_rewrite and mod_headers, and put this into a VirtualHost:',
  '',
  'AllowEncodedSlashes NoDecode',
  'RewriteEngine On',
  'RewriteMap terse "txt:/etc/apache2/terse-apache.txt"',
  'RewriteMap terse_small int:tolower',
  'RewriteMap terse_escaped int:escape',
  'RewriteCond %{REQUEST_URI} ^(/.+?)/?$',
  'RewriteRule ^ - [E=TERSE_PATH:${terse_escaped:%1}]',
  'RewriteCond ${terse_small:%{HTTP_HOST}} ^([^:]+)',
  'RewriteRule ^ - [E=TERSE_KEY:%1%{ENV:TERSE_PATH}]',
  'RewriteRule ^ - [E=TERSE_LINK:${terse:%{ENV:TERSE_KEY}|${terse:*${terse_small:%{ENV:TERSE_KEY}}}}]',
  ...[301, 302, 307, 308].flatMap((status) => [
    `RewriteCond %{ENV:TERSE_LINK} ^${status}:(.+)$`,
    `RewriteRule ^ http://terse.invalid/ [R=${status},L,QSD,E=TERSE_URL:%1]`,
  ]),
  'RewriteRule ^ - [R=404,L]',
  'Header always set Location "%{TERSE_URL}e" env=TERSE_URL',
  '',
  'A text map is read from its beginning for each new path. With more than some thousand links, turn it into an index by',
  '`httxt2dbm -i terse-apache.txt -o terse-apache.dbm`, and write "dbm:/etc/apache2/terse-apache.dbm" above.',
]

export const apache: SetFormat = {
  file: 'terse-apache.txt',
  type: 'text/plain; charset=utf-8',
  knowsTime: false,
  isOfOneHost: false,
  limits: [
    'For Apache 2.4: a map of mod_rewrite.',
    'Links of more than 1,000 bytes are left out: mod_rewrite reads no longer line.',
    'On domains that ignore case, capitals are the same for the letters A to Z alone.',
  ],
  writer: () => new ApacheWriter(),
}
