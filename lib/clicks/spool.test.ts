import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { atEnd } from '@/lib/testing/cleanup'
import { shiftableClock } from '@/lib/testing/clock'
import { FILE_LIFETIME, Spool } from './spool'
import { adoptFile, SPOOL_SUFFIX } from './spool-file'

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'terse-unit-spool-'))
  atEnd(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

const files = (dir: string) => readdirSync(dir).sort()
const linesIn = (dir: string) => files(dir).flatMap((name) => readFileSync(join(dir, name), 'utf8').split('\n').slice(0, -1))

it('keeps every line of many at once, whole and in their order', async () => {
  const dir = join(folder(), 'made', 'when', 'needed')
  const spool = new Spool(dir)
  const lines = Array.from({ length: 5_000 }, (_, i) => `${i} ${'ü😀'.repeat(i % 50)}`)
  await Promise.all(lines.slice(0, 2_500).map((line) => spool.append(line)))
  expect(linesIn(dir)).toEqual(lines.slice(0, 2_500))
  // While the first are being written the rest come in, one after the other.
  await Promise.all(lines.slice(2_500).map(async (line) => spool.append(line)))
  expect(linesIn(dir)).toEqual(lines)
  expect(files(dir)).toHaveLength(1)
  await spool.close()
})

it('has a line in the file by the time that it says so', async () => {
  const dir = folder()
  const spool = new Spool(dir)
  for (let i = 0; i < 20; i++) {
    await spool.append(`line ${i}`)
    expect(linesIn(dir)).toHaveLength(i + 1)
  }
  await spool.close()
})

it('lets nobody else read what visitors sent', async () => {
  const dir = folder()
  const spool = new Spool(dir)
  await spool.append('a line')
  expect(statSync(join(dir, files(dir)[0] ?? '')).mode & 0o077).toBe(0)
  await spool.close()
})

it('begins a new file when one has had its time, and tells once of each that is closed', async () => {
  const clock = shiftableClock()
  const dir = folder()
  const spool = new Spool(dir)
  await spool.append('first')
  const [first = ''] = files(dir)
  await spool.closeStale()
  expect([spool.isOpen(first), spool.newlyClosed()]).toEqual([true, []])
  clock.forward(FILE_LIFETIME)
  await spool.append('second')
  expect(files(dir)).toHaveLength(2)
  expect([spool.isOpen(first), spool.newlyClosed(), spool.newlyClosed()]).toEqual([false, [first], []])
  const second = files(dir).find((name) => name !== first) ?? ''
  expect(spool.isOpen(second)).toBe(true)
  clock.forward(FILE_LIFETIME)
  await spool.closeStale()
  expect(spool.newlyClosed()).toEqual([second])
  expect(files(dir).every((name) => name.endsWith(SPOOL_SUFFIX))).toBe(true)
})

it('writes again, into a new file, what it cannot know to have been in one when that was taken', async () => {
  const dir = folder()
  const spool = new Spool(dir)
  await spool.append('first')
  const [first = ''] = files(dir)
  const taken = (await adoptFile(dir, first)) ?? ''
  await spool.append('second')
  expect(readFileSync(join(dir, taken), 'utf8')).toMatch(/^first\n/)
  const other = files(dir).find((name) => name !== taken) ?? ''
  expect(readFileSync(join(dir, other), 'utf8')).toBe('second\n')
  await spool.close()
})

it('is taken by one of many who try', async () => {
  const dir = folder()
  writeFileSync(join(dir, `1-left${SPOOL_SUFFIX}`), '')
  const taken = await Promise.all(Array.from({ length: 20 }, () => adoptFile(dir, `1-left${SPOOL_SUFFIX}`)))
  expect(taken.filter((name) => name !== null)).toEqual(files(dir))
})

it('refuses where no file can be made, and takes lines again once one can', async () => {
  const dir = join(folder(), 'spool')
  writeFileSync(dir, 'a file where a folder should be')
  const spool = new Spool(dir)
  const answers = await Promise.allSettled([spool.append('a'), spool.append('b')])
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  rmSync(dir)
  await spool.append('c')
  expect(linesIn(dir)).toEqual(['c'])
  await spool.close()
})

it('leaves nothing of what the system refused in the file, and goes on with what still fits', async () => {
  const dir = folder()
  const program = join(folder(), 'spool.mjs')
  await build({ entryPoints: ['lib/clicks/spool.ts'], bundle: true, platform: 'node', format: 'esm', outfile: program })
  // Files may have 16 blocks of 512 bytes, as on a disk that is full: a write beyond takes a part, then is refused.
  const script = `
    const { Spool } = await import(${JSON.stringify(program)})
    const spool = new Spool(${JSON.stringify(dir)})
    const said = []
    const group = async (name, count, size) => {
      const answers = Array.from({ length: count }, (_, i) => {
        const line = name + i + ' ' + 'x'.repeat(size)
        return spool.append(line).then(() => [line, true], () => [line, false])
      })
      said.push(...await Promise.all(answers))
    }
    await group('fits', 3, 1000)
    await group('too much', 1, 9000)
    await group('still fits', 2, 1000)
    await group('too much again', 10, 1000)
    await group('at last', 1, 100)
    await spool.close()
    console.log(JSON.stringify(said))`
  const limited = ['-c', 'ulimit -f 16; exec "$0" --input-type=module -e "$1"', process.execPath, script]
  const { stdout } = await promisify(execFile)('/bin/sh', limited)
  const said = JSON.parse(stdout) as [line: string, kept: boolean][]
  const kept = said.filter(([, was]) => was).map(([line]) => line)
  expect(linesIn(dir)).toEqual(kept)
  expect(
    files(dir)
      .map((name) => readFileSync(join(dir, name), 'utf8'))
      .join(''),
  ).toBe(kept.map((line) => `${line}\n`).join(''))
  const refused = said.filter(([, was]) => !was).map(([line]) => line)
  expect(refused[0]).toMatch(/^too much/)
  expect(kept.some((line) => line.startsWith('still fits'))).toBe(true)
  expect(kept.at(-1)).toMatch(/^at last/)
})
