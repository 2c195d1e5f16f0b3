import { beforeAll, describe, expect, it } from 'vitest'
import { keepAccount } from '@/lib/testing/accounts'
import { testDatabase } from '@/lib/testing/database'
import { testRedis } from '@/lib/testing/redis'
import { settled, testRuntime } from '@/lib/testing/runtime'
import { AppFiles } from './app-files'
import { UpdateAppFiles } from './app-files-schema'
import { addDomain, removeDomain } from './edit'
import { readAppFiles, updateAppFiles } from './edit-app-files'

const { url, connection } = await testDatabase()
const redis = await testRedis()
const ctx = await testRuntime({ DATABASE_URL: url, REDIS_URL: redis.url })
beforeAll(() => Promise.all([settled(ctx), keepAccount(ctx.db, 'alice')]))

const APPLE = { applinks: { details: [{ appIDs: ['ABCDE12345.com.example.app'], components: [{ '/': '/docs/*' }] }] } }
const PRINT = Array.from({ length: 32 }, () => 'A0').join(':')
const GOOGLE = [
  {
    relation: ['delegate_permission/common.handle_all_urls'],
    target: { namespace: 'android_app', package_name: 'com.example.app', sha256_cert_fingerprints: [PRINT] },
  },
]
const get = (host: string, name: 'appleAppSiteAssociation' | 'assetLinks', method = 'GET') =>
  ctx.appFiles.answer(method, host, name)

describe('the files of a domain for apps', () => {
  it('are served as JSON on their own domain, and are none where none was set', async () => {
    const base = await ctx.domains.default()
    const { id } = await addDomain(ctx, { host: 'apps.example' })
    await connection.query('UPDATE Domain SET verifiedAt = UTC_TIMESTAMP(3) WHERE id = ?', [id])
    await ctx.domains.refresh()
    expect(await get('apps.example', 'appleAppSiteAssociation')).toMatchObject({ status: 404 })
    await updateAppFiles(ctx, id, UpdateAppFiles.parse({ appleAppSiteAssociation: APPLE, assetLinks: GOOGLE }))
    const apple = await get('APPS.example:443', 'appleAppSiteAssociation')
    expect(apple).toMatchObject({
      status: 200,
      headers: { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=300' },
    })
    expect(JSON.parse(apple.body)).toEqual(APPLE)
    expect(JSON.parse((await get('apps.example', 'assetLinks')).body)).toEqual(GOOGLE)
    expect(await get(base.host, 'assetLinks')).toMatchObject({ status: 404 })
    await updateAppFiles(ctx, base.id, UpdateAppFiles.parse({ assetLinks: GOOGLE }))
    expect(await get('terse.test', 'assetLinks')).toMatchObject({ status: 200 })
    expect(await get('terse.test', 'assetLinks', 'POST')).toMatchObject({ status: 405 })
    await updateAppFiles(ctx, id, { assetLinks: null })
    expect(await readAppFiles(ctx, id)).toEqual({ appleAppSiteAssociation: APPLE, assetLinks: null })
    await removeDomain(ctx, id)
    expect(await ctx.db.client.domainFile.count({ where: { domainId: id } })).toBe(0)
  })

  it('are found by their paths alone', () => {
    expect(AppFiles.named('/.well-known/assetlinks.json?x')).toBe('assetLinks')
    expect(AppFiles.named('/.well-known/apple-app-site-association')).toBe('appleAppSiteAssociation')
    expect(AppFiles.named('/.well-known/apple-app-site-association/x')).toBeNull()
  })

  it.each([
    [{}],
    [{ appleAppSiteAssociation: {} }],
    [{ appleAppSiteAssociation: { applinks: { details: [] } } }],
    [{ appleAppSiteAssociation: { applinks: { details: [{ paths: ['*'] }] } } }],
    [{ appleAppSiteAssociation: { applinks: { details: [{ appID: 'com.example.app' }] } } }],
    [{ appleAppSiteAssociation: { somethingElse: true } }],
    [{ appleAppSiteAssociation: 'text' }],
    [{ appleAppSiteAssociation: { webcredentials: { apps: ['ABCDE12345.a'], note: 'x'.repeat(41_000) } } }],
    [{ assetLinks: [] }],
    [{ assetLinks: {} }],
    [{ assetLinks: [{ relation: [], target: GOOGLE[0]?.target }] }],
    [
      {
        assetLinks: [
          { relation: ['a'], target: { namespace: 'android_app', package_name: 'app', sha256_cert_fingerprints: [PRINT] } },
        ],
      },
    ],
    [
      {
        assetLinks: [
          { relation: ['a'], target: { namespace: 'android_app', package_name: 'a.b', sha256_cert_fingerprints: ['aa:bb'] } },
        ],
      },
    ],
    [{ assetLinks: [{ relation: ['a'], target: { namespace: 'web', site: 'javascript:alert(1)' } }] }],
  ])('are refused where they have no such shape: %j', (files) => {
    expect(UpdateAppFiles.safeParse(files).success).toBe(false)
  })
})
