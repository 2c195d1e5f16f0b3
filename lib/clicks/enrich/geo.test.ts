import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Geo } from './geo'

const string = (text: string) => Buffer.concat([Buffer.from([0x40 | Buffer.byteLength(text)]), Buffer.from(text)])
const uint16 = (value: number) => Buffer.from([0xa2, value >> 8, value & 0xff])
const map = (fields: Record<string, Buffer>) =>
  Buffer.concat([
    Buffer.from([0xe0 | Object.keys(fields).length]),
    ...Object.entries(fields).flatMap(([name, value]) => [string(name), value]),
  ])

/** The smallest file in MaxMind's format: a tree of one node, whose both sides lead to `record`. */
function databaseFile(record: Buffer, ipVersion: 4 | 6): Buffer {
  const toRecord = [0, 0, 1 + 16]
  return Buffer.concat([
    Buffer.from([...toRecord, ...toRecord]),
    Buffer.alloc(16),
    record,
    Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'),
    map({
      node_count: uint16(1),
      record_size: uint16(24),
      ip_version: uint16(ipVersion),
      binary_format_major_version: uint16(2),
      binary_format_minor_version: uint16(0),
      database_type: string('GeoIP2-City'),
      build_epoch: uint16(1),
    }),
  ])
}

const MAXMIND = map({
  city: map({ names: map({ de: string('Wien'), en: string('Vienna') }) }),
  country: map({ iso_code: string('AT') }),
})

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'terse-geo-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function ownDatabase(content: Buffer) {
  const path = join(folder, `${Math.random()}.mmdb`)
  await writeFile(path, content)
  const warn = vi.fn()
  return { geo: new Geo(path, warn), warn }
}

describe('places, by the databases that come along', () => {
  const warn = vi.fn()
  const geo = new Geo(undefined, warn)

  it.each([
    ['8.8.8.0', 'US', /, US$/],
    ['141.35.1.0', 'DE', /^Jena, DE$/],
    ['133.11.0.0', 'JP', /, JP$/],
    ['2a02:8108::', 'DE', /^Berlin, DE$/],
    ['2001:200::', 'JP', /, JP$/],
    ['::ffff:8.8.8.0', 'US', /, US$/],
  ])('%s is in %s', async (network, country, city) => {
    await geo.ready([network])
    expect(geo.find(network)).toEqual({ country, city: expect.stringMatching(city) })
    expect(warn).not.toHaveBeenCalled()
  })

  it.each(['', 'unknown', '10.1.2.0', '127.0.0.0', '192.168.1.0', '::1', 'fe80::', 'fd00::', '999.1.1.0', '8.8', '2001:db8::'])(
    '%j is nowhere',
    async (network) => {
      await geo.ready([network])
      expect(geo.find(network)).toEqual({ country: '', city: '' })
    },
  )
})

describe('a database', () => {
  it('is not read for networks that are in none', async () => {
    const { geo, warn } = await ownDatabase(Buffer.from('broken'))
    await geo.ready(['', '10.0.0.0', 'fd00::', '127.0.0.0'])
    expect(warn).not.toHaveBeenCalled()
  })

  it('that is not read yet leaves no wrong answer behind', async () => {
    const { geo } = await ownDatabase(databaseFile(MAXMIND, 6))
    expect(geo.find('8.8.8.0').country).toBe('')
    await geo.ready(['8.8.8.0'])
    expect(geo.find('8.8.8.0').country).toBe('AT')
  })

  it("of MaxMind's structure knows both address families", async () => {
    const { geo } = await ownDatabase(databaseFile(MAXMIND, 6))
    await geo.ready(['8.8.8.0'])
    expect(geo.find('8.8.8.0')).toEqual({ country: 'AT', city: 'Vienna, AT' })
    expect(geo.find('2a02:8108::')).toEqual({ country: 'AT', city: 'Vienna, AT' })
  })

  it('of a flat structure is read as well, without the district of a city', async () => {
    const record = map({ country_code: string('AT'), city: string('Vienna (Leopoldstadt)') })
    const { geo } = await ownDatabase(databaseFile(record, 6))
    await geo.ready(['8.8.8.0'])
    expect(geo.find('8.8.8.0')).toEqual({ country: 'AT', city: 'Vienna, AT' })
  })

  it('of IPv4 says nothing of IPv6', async () => {
    const { geo } = await ownDatabase(databaseFile(MAXMIND, 4))
    await geo.ready(['2a02:8108::'])
    expect(geo.find('2a02:8108::').country).toBe('')
    expect(geo.find('8.8.8.0').country).toBe('AT')
  })

  it.each([
    ['is missing', null],
    ['is not one', Buffer.from('not a database')],
    ['is cut off', databaseFile(MAXMIND, 6).subarray(0, 40)],
    ['has a record that cannot be read', databaseFile(Buffer.from([0xff, 0xff]), 6)],
  ])('that %s costs one warning and no click', async (_, content) => {
    const warn = vi.fn()
    const geo = content ? null : new Geo(join(folder, 'missing.mmdb'), warn)
    const own = content && (await ownDatabase(content))
    const tried = own?.geo ?? geo
    for (const network of ['8.8.8.0', '9.9.9.0', '2a02:8108::']) {
      await tried?.ready([network])
      expect(tried?.find(network)).toEqual({ country: '', city: '' })
    }
    expect(own?.warn ?? warn).toHaveBeenCalledOnce()
  })
})
