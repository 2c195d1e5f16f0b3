import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { UsageError } from './exit.js'
import { readBlob, readText } from './input.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'terse-input-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('reads a file as text and as a blob', async () => {
  const file = join(folder, 'links.csv')
  writeFileSync(file, 'url\nhttps://example.com/é\n')
  expect(readText(file)).toBe('url\nhttps://example.com/é\n')
  expect(await (await readBlob(file)).text()).toBe('url\nhttps://example.com/é\n')
})

it.each([
  ['text', async (file: string) => readText(file)],
  ['a blob', readBlob],
])('says in plain words why a file can’t be read as %s', async (_, read) => {
  const missing = join(folder, 'missing.csv')
  await expect(read(missing)).rejects.toEqual(new UsageError(`Can’t read ${missing}: there’s no such file.`))
  await expect(read(folder)).rejects.toEqual(new UsageError(`Can’t read ${folder}: it’s a folder.`))
})
