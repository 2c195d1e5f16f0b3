import { describe, expect, it } from 'vitest'
import { recognise } from './recognise'

describe('a file tells by its beginning who wrote it', () => {
  it.each([
    ['bitly', 'title,long_url,link,custom_bitlinks,created_at,tags\nA,https://example.com,bit.ly/a,,2025-01-02,'],
    ['bitly', '\uFEFF"Long URL";"Bitlink";"Create Date"\n'],
    ['shlink', 'createdAt,domain,longUrl,shortCode,shortUrl,tags,title,visits\n'],
    ['kutt', 'address,target,description,created_at,visit_count\n'],
    ['kutt', 'SET x=1;\nCREATE TABLE public.links (\n  id integer,\n  address text,\n  banned_by_id integer);'],
    ['yourls', 'keyword,url,title,timestamp,ip,clicks\n'],
    ['yourls', '-- MySQL dump\nCREATE TABLE `yourls_url` (\n  `keyword` varchar(100),'],
    ['yourls', "-- MySQL dump\nINSERT INTO `yourls_url` VALUES ('a','https://example.com')"],
    ['dub', 'Short link,Destination URL,Clicks\n'],
    ['sitemap', '<?xml version="1.0"?>\n<!-- made by hand -->\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'],
  ])('%s', (from, beginning) => expect(recognise(beginning)).toBe(from))

  it.each([
    '',
    'url,code,title\nhttps://example.com,a,b',
    '[{"url":"https://example.com"}]',
    'name,colour\na,b',
    'PK\u0003\u0004',
  ])('but not who wrote %j', (beginning) => expect(recognise(beginning)).toBeNull())

  it('in no time, whatever it begins with', () => {
    const started = performance.now()
    for (const hostile of [
      'CREATE TABLE '.repeat(1_260),
      'INSERT INTO a_url('.repeat(900),
      '<!--'.repeat(4_000),
      'COPY links ('.repeat(1_300),
    ])
      recognise(hostile)
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})
