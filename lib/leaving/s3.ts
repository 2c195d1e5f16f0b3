// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are variables of other languages

import { isWeb } from '@/lib/tools/schemes'
import { hashComment, type SetFormat, type SetWriter } from './set-writer'
import type { StaticLink } from './static-link'

/** Rules of a bucket's website. */
const MOST_RULES = 50
/** Metadata of an object: 2 KB, names included. */
const MOST_BYTES = 1_900

const ONE_CASE = 'On domains that ignore case, only the spelling in small letters works.'

const xml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** The longest first: a rule is for all keys that begin with its own. */
class RulesWriter implements SetWriter {
  private readonly links: StaticLink[] = []

  head(notes: readonly string[]): string {
    // Two hyphens end a comment.
    const text = notes.join('\n  ').replaceAll('--', '- -')
    return `<?xml version="1.0" encoding="UTF-8"?>\n<!--\n  ${text}\n-->\n`
  }

  add(link: StaticLink): string | { leftOut: 'scheme' | 'most' } {
    if (!isWeb(link.url)) return { leftOut: 'scheme' }
    if (this.links.length >= MOST_RULES) return { leftOut: 'most' }
    this.links.push(link)
    return ''
  }

  end(_hosts: readonly string[], notes: readonly string[]): string {
    const rules = this.links.sort((a, b) => Buffer.byteLength(b.code) - Buffer.byteLength(a.code)).map(ruleOf)
    const all = `    <RoutingRules>\n${rules.join('')}    </RoutingRules>\n`
    return [
      '<WebsiteConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/">\n',
      '    <IndexDocument><Suffix>index.html</Suffix></IndexDocument>\n',
      rules.length > 0 ? all : '',
      `</WebsiteConfiguration>\n<!-- ${notes.join(' ').replaceAll('--', '- -')} -->\n`,
    ].join('')
  }
}

function ruleOf({ code, url, status }: StaticLink): string {
  const { protocol, host, origin } = new URL(url)
  // As it is: `search` and `hash` leave out a mark that nothing follows.
  const rest = url.slice(origin.length + 1)
  const redirect = [
    `<Protocol>${protocol.slice(0, -1)}</Protocol><HostName>${xml(host)}</HostName>`,
    `<ReplaceKeyWith>${xml(rest)}</ReplaceKeyWith>`,
    `<HttpRedirectCode>${status}</HttpRedirectCode>`,
  ].join('')
  return `        <RoutingRule><Condition><KeyPrefixEquals>${xml(code)}</KeyPrefixEquals></Condition><Redirect>${redirect}</Redirect></RoutingRule>\n`
}

export const s3Rules: SetFormat = {
  file: 'terse-s3-rules.xml',
  type: 'application/xml',
  knowsTime: false,
  isOfOneHost: true,
  limits: [
    'For a bucket of Amazon S3, or one that is compatible: the body of PutBucketWebsite.',
    `S3 takes ${MOST_RULES} rules. This has the ${MOST_RULES} oldest links; for more, export objects (s3-objects).`,
    'A rule is for all keys that begin with its own: /abc also answers /abcd, unless that has a rule. Each file is for one domain.',
    `Only destinations with http and https. ${ONE_CASE}`,
  ],
  writer: () => new RulesWriter(),
}

/** A word of a shell, whatever is in it. */
const word = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

class ObjectsWriter implements SetWriter {
  head(notes: readonly string[]): string {
    const usage = 'BUCKET=${BUCKET:?set BUCKET to the name of the bucket}'
    const put = 'put() { aws s3api put-object --bucket="$BUCKET" --key="$1" --website-redirect-location="$2" > /dev/null; }'
    return `#!/bin/sh\n${hashComment(notes)}set -eu\n${usage}\n${put}\n`
  }

  add({ code, url }: StaticLink): string | { leftOut: 'scheme' | 'long' } {
    if (!isWeb(url)) return { leftOut: 'scheme' }
    return Buffer.byteLength(url) > MOST_BYTES ? { leftOut: 'long' } : `put ${word(code)} ${word(url)}\n`
  }

  end(_hosts: readonly string[], notes: readonly string[]): string {
    return hashComment(notes)
  }
}

export const s3Objects: SetFormat = {
  file: 'terse-s3-objects.sh',
  type: 'application/x-sh',
  knowsTime: false,
  isOfOneHost: true,
  limits: [
    'For a bucket of Amazon S3, or one that is compatible: an empty object for each link, which leads on by x-amz-website-redirect-location.',
    'Run it as: BUCKET=name sh terse-s3-objects.sh. It needs the command line of AWS, and a bucket with static website hosting.',
    `S3 answers 301, whatever the link answered. Links of more than ${MOST_BYTES} bytes are left out. Each file is for one domain.`,
    `Only destinations with http and https. ${ONE_CASE}`,
  ],
  loses: ({ status }) => (status === 301 ? [] : ['status']),
  writer: () => new ObjectsWriter(),
}
