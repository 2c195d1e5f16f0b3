import { expect, it } from 'vitest'
import { parseRanges } from '@/lib/net/address'
import { Outbound, RefusedError } from '@/lib/net/outbound'
import { OldService } from '@/lib/testing/old-service'
import { oldReply } from './compare'

const outbound = new Outbound(parseRanges(['127.0.0.1']))
const target = { status: 301, headers: { Location: 'https://example.com/' } }

it('an address that may not be asked is no short link without an answer', async () => {
  await expect(oldReply(outbound, new URL('http://10.1.2.3/a'))).rejects.toThrow(RefusedError)
})

it('a short link is asked once more where an answer is lost, and has none after that', async () => {
  const old = await OldService.open()
  old.answer = () => (old.asked.length === 1 ? { status: 0 } : target)
  expect(await oldReply(outbound, new URL(`${old.address}/a`))).toEqual({ status: 301, location: 'https://example.com/' })
  old.answer = () => ({ status: 0 })
  expect(await oldReply(outbound, new URL(`${old.address}/a`))).toBeNull()
  expect(old.asked).toHaveLength(4)
})

it.each(['gzip', 'zstd'])('an answer without a body may say that it is packed, by %s', async (encoding) => {
  const old = await OldService.open()
  old.answer = () => ({ ...target, headers: { ...target.headers, 'Content-Encoding': encoding } })
  expect(await oldReply(outbound, new URL(`${old.address}/a`))).toMatchObject({ status: 301 })
})
