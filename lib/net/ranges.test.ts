import fc from 'fast-check'
import { expect, it } from 'vitest'
import { inRanges, parseRanges } from './address'
import { isRange, Ranges, readAddress } from './ranges'

const isIn = (text: string, ranges: Ranges) => {
  const address = readAddress(text)
  return address !== null && ranges.has(address)
}

/** Without an old form, `::192.0.2.1`, that what we compare with takes for `::ffff:192.0.2.1`. */
const ipV6 = fc.ipV6().filter((text) => !/^::\d+\.\d+\.\d+\.\d+$/.test(text))

it('ranges hold the same addresses as each of them, one by one', () => {
  const texts = [
    ...['10.0.0.0/8', '192.0.2.1', '203.0.113.64/26', '0.0.0.0/32', '2001:db8::/33', '2001:db8:8000::/127', 'fe80::1'],
    ...['::ffff:198.51.100.0/120', '2001:db8:9000:0:1::192.0.2.1', '::ffff:c633:6500', '172.16.9.9/12'],
  ]
  const near = fc.constantFrom(
    ...['10.0.0.0', '11.0.0.0', '203.0.113.63', '203.0.113.127', '192.0.2.1', '2001:db8:7fff::', '2001:db8:8000::2', 'fe80::1'],
    ...['::ffff:10.1.1.1', '198.51.100.7', '198.51.101.0', '2001:DB8:9000::1:0:c000:201', '172.31.0.1', '172.32.0.1', '::'],
    ...['no address', ''],
  )
  const ranges = new Ranges(texts)
  const cidrs = parseRanges(texts)
  fc.assert(
    fc.property(fc.oneof(near, fc.ipV4(), ipV6), (text) => {
      expect(isIn(text, ranges)).toBe(inRanges(text, cidrs))
    }),
    { numRuns: 1_000 },
  )
})

it('each address is in the range of any of its prefixes, however it is written', () => {
  expect(isIn('192.0.2.1', new Ranges(['::192.0.2.1']))).toBe(false)
  const cidr = fc.oneof(fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 })), fc.tuple(ipV6, fc.integer({ min: 0, max: 128 })))
  fc.assert(
    fc.property(cidr, fc.oneof(fc.ipV4(), ipV6), ([address, bits], other) => {
      const text = `${address}/${bits}`
      const ranges = new Ranges([text])
      expect(isIn(address, ranges)).toBe(inRanges(address, parseRanges([text])))
      expect(isIn(other, ranges)).toBe(inRanges(other, parseRanges([text])))
    }),
  )
})

it('knows what is no range', () => {
  const read = (text: string) => {
    try {
      return parseRanges([text]).length === 1
    } catch {
      return false
    }
  }
  const texts = ['1.2.3.4', '1.2.3', '010.0.0.1', '1.2.3.4/33', '1.2.3.4/', '1.2.3.4/-1', '::/128', '::/129', '1::2::3', '', '/8']
  for (const text of [...texts, '::ffff:1.2.3.4/64', '1.2.3.4/8/8', '256.1.1.1', 'example.com', '[::1]', ' 1.2.3.4', '1::/1 '])
    expect([text, isRange(text)]).toEqual([text, read(text)])
})
