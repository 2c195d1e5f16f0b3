import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConnection } from 'mariadb'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createLog, describeError, errorWords } from './log'

it.runIf(process.platform === 'linux')('a log on a full disk is no error', async () => {
  const errors: unknown[] = []
  const note = (error: unknown) => errors.push(error)
  process.on('uncaughtException', note)
  const log = createLog('info', '/dev/full')
  for (let i = 0; i < 3; i++) {
    log.info('this cannot be written')
    await new Promise(setImmediate)
  }
  process.off('uncaughtException', note)
  expect(errors).toEqual([])
})

it('a line of the log holds nothing that a terminal obeys, and reads as the same text', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'terse-unit-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'log')
  const odd = '\u009b31m \u009d0;title\u0007 \u001b[2J \u202egpj.exe \u2066x\u2069 \u200e \u2028 \u007f ü 🦊'
  createLog('info', file).info({ odd, [odd]: 1 }, odd)
  const text = await vi.waitFor(() => {
    const written = readFileSync(file, 'utf8')
    if (!written.endsWith('\n')) throw new Error('not written yet')
    return written
  })
  expect(text.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u)
  expect(JSON.parse(text)).toMatchObject({ odd, [odd]: 1, msg: odd })
  expect(text).toContain('ü 🦊')
})

it('an error says which value was refused by its column alone', () => {
  const error = new Error(
    "(conn:4, no: 1062, SQLState: 23000) Duplicate entry 'it''s@mail.example' for key 'User_email_key'\nsql: x",
  )
  expect(describeError(error)).toMatchObject({
    message: "(conn:4, no: 1062, SQLState: 23000) Duplicate entry '…' for key 'User_email_key'",
  })
  const value = new Error("Incorrect string value: '\\xF0\\x9F' for column `terse`.`Link`.`title` at row 1")
  expect(describeError(value)).toMatchObject({
    message: "Incorrect string value: '…' for column `terse`.`Link`.`title` at row 1",
  })
})

it('what an operator reads of a server’s greeting, and of a statement that failed, is plain text without data', async () => {
  const hostile = createServer((socket) => {
    socket.on('error', () => {})
    const words = Buffer.from('\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e Host is blocked')
    const error = Buffer.concat([Buffer.from([0xff, 0x69, 0x04]), words])
    socket.end(Buffer.concat([Buffer.from([error.length, 0, 0, 0]), error]))
  }).listen(0, '127.0.0.1')
  await once(hostile, 'listening')
  onTestFinished(() => void hostile.close())
  const { port } = hostile.address() as AddressInfo
  const error = await createConnection({ host: '127.0.0.1', port, user: 'u', password: 'p' }).catch((thrown: unknown) => thrown)
  expect(String(error)).toContain('\u001b[2J')
  expect(errorWords(error)).toContain('Host is blocked')
  expect(errorWords(error)).not.toMatch(/[\p{Cc}\u202e]/u)
  const failed = Object.assign(new Error("Duplicate entry 'x@y' for key 'k'\nsql: INSERT INTO `User` VALUES ('x@y')"), {
    sqlState: '23000',
  })
  expect(errorWords(failed)).toBe("Duplicate entry '…' for key 'k'")
  expect(errorWords(new Error('DATABASE_URL is missing\nREDIS_URL\u001b is missing'))).toBe(
    'DATABASE_URL is missing\nREDIS_URL is missing',
  )
})
