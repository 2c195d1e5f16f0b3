import { apache } from './apache'
import { bitly } from './bitly'
import { dub } from './dub'
import { kutt } from './kutt'
import type { Mover } from './mover'
import { nginx } from './nginx'
import { cloudflare, netlify } from './redirects-file'
import { shlink } from './shlink'
import { sink } from './sink'
import { sitemap } from './sitemap'
import type { MovedFrom } from './sources'
import { yourls } from './yourls'

/** What is read of each system. `other`: any CSV or JSON, by what its columns are called. */
export const MOVERS: Readonly<Record<MovedFrom, Mover>> = {
  yourls,
  kutt,
  shlink,
  dub,
  bitly,
  sink,
  other: { table: { columns: { shorturl: 'shortUrl', shortlink: 'shortUrl', link: 'shortUrl' }, mayLackCodes: true } },
  sitemap,
  apache,
  nginx,
  netlify,
  cloudflare,
}
