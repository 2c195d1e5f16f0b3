import { describe, expect, it } from 'vitest'
import { parseRedisUrl } from './redis-url'

describe('REDIS_URL', () => {
  it('names one server', () => {
    for (const url of ['redis://127.0.0.1:6379/0', 'rediss://user:pw@host']) {
      expect(parseRedisUrl(url)).toEqual({ kind: 'server', url })
    }
  })

  it('or several nodes of a cluster', () => {
    expect(parseRedisUrl('redis://a:7000,redis://b:7000')).toEqual({
      kind: 'cluster',
      urls: ['redis://a:7000', 'redis://b:7000'],
      options: {},
    })
    expect(parseRedisUrl('rediss://me:p%40ss@a:7000,rediss://me:p%40ss@b:7000')).toMatchObject({
      kind: 'cluster',
      options: { username: 'me', password: 'p@ss', tls: {} },
    })
  })

  it.each([
    [
      'redis+sentinel://a:26380,b/main',
      {
        sentinels: [
          { host: 'a', port: 26_380 },
          { host: 'b', port: 26_379 },
        ],
        name: 'main',
        db: 0,
      },
    ],
    [
      'redis+sentinel://:p%40ss:w@a/main/3',
      { sentinels: [{ host: 'a', port: 26_379 }], name: 'main', db: 3, password: 'p@ss:w' },
    ],
    [
      'redis+sentinel://me:pw@[::1]:1,10.0.0.1/main?sentinel_user=watch&sentinel_password=a%26b',
      {
        sentinels: [
          { host: '::1', port: 1 },
          { host: '10.0.0.1', port: 26_379 },
        ],
        name: 'main',
        db: 0,
        username: 'me',
        password: 'pw',
        sentinelUsername: 'watch',
        sentinelPassword: 'a&b',
      },
    ],
    [
      'rediss+sentinel://a/main',
      {
        sentinels: [{ host: 'a', port: 26_379 }],
        name: 'main',
        db: 0,
        sentinelTLS: {},
        tls: {},
        enableTLSForSentinelMode: true,
      },
    ],
  ])('or a master by its Sentinels: %s', (url, options) => expect(parseRedisUrl(url)).toEqual({ kind: 'sentinel', options }))

  it.each([
    ['http://host', 'must begin with'],
    ['redis://a,http://b', 'must begin with'],
    ['redis://host:99999', 'is no URL'],
    ['rediss://a,redis://b', 'mixes redis:// and rediss://'],
    ['redis://:one@a,redis://:two@b', 'different users or passwords'],
    ['redis://:one@a,redis://b', 'different users or passwords'],
    ['redis+sentinel://a:26379', 'names no master'],
    ['redis+sentinel:///main', 'names no master'],
    ['redis+sentinel://a,/main', 'no host'],
    ['redis+sentinel://a:99999/main', 'no host'],
    ['redis+sentinel://a/main/x', 'ends with'],
    ['redis+sentinel://a/main/0/1', 'ends with'],
  ])('is refused with what is wrong with it: %s', (url, reason) => expect(() => parseRedisUrl(url)).toThrow(reason))
})
