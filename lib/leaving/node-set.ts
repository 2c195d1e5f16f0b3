import type { SetFormat } from './set-writer'
import type { StaticLink } from './static-link'

/** The data of `public/assets/terse-redirects.mjs`, a server of one file: a line of JSON for each link. */
const line = ({ host, code, url, status, startsAt, expiresAt, expiredUrl }: StaticLink): string => {
  const times = expiresAt !== null ? [startsAt, expiresAt, expiredUrl] : startsAt !== null ? [startsAt] : []
  return `${JSON.stringify([host, code, url, status, ...times])}\n`
}

export const nodeSet: SetFormat = {
  file: 'terse-redirects.jsonl',
  type: 'application/jsonl',
  knowsTime: true,
  isOfOneHost: false,
  limits: ['Start it with: node terse-redirects.mjs terse-redirects.jsonl'],
  writer: ({ baseHost, foldedHosts }) => ({
    head: (notes) => `${JSON.stringify({ notes, base: baseHost, folded: foldedHosts })}\n`,
    add: line,
    // By this line the server knows that it has all.
    end: (_hosts, notes) => `${JSON.stringify({ notes })}\n`,
  }),
}
