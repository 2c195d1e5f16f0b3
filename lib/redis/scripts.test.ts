import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { clickScripts } from '@/lib/clicks/scripts'
import { codeScripts } from '@/lib/codes/scripts'
import { idScripts } from '@/lib/ids/scripts'
import { nearbyScripts } from '@/lib/redirect/scripts'
import type { Script } from './scripts'

const SCRIPTS: Script<unknown>[] = [codeScripts, idScripts, clickScripts, nearbyScripts].flatMap((room) => Object.values(room))
const FILES = readdirSync('lib', { encoding: 'utf8', recursive: true }).flatMap((file) =>
  file.endsWith('.lua') ? [`lib/${file}`] : [],
)
const fileOf = (name: string) => `lib/${name.replace('/', '/lua/')}.lua`
const textOf = (name: string) => readFileSync(fileOf(name), 'utf8')
const defined = (text: string) => [...text.matchAll(/^local function (\w+)/gm)].map(([, name]) => name ?? '')
const DEFINITIONS = FILES.flatMap((file) => defined(readFileSync(file, 'utf8')))

describe('a Lua script', () => {
  it.each(SCRIPTS.map((script) => [script.name, script] as const))(
    '%s has what it calls, and nothing else, before it',
    (name, { preludes }) => {
      const text = preludes.map(textOf).join('') + textOf(name)
      const called = DEFINITIONS.filter((definition) => new RegExp(`\\b${definition}\\(`).test(text.replace(/--.*/g, '')))
      expect(defined(text).sort()).toEqual([...new Set(called)].sort())
      for (const prelude of preludes) {
        const used = text.replace(textOf(prelude), '').replace(/--.*/g, '')
        expect(defined(textOf(prelude)).some((definition) => used.includes(`${definition}(`))).toBe(true)
      }
    },
  )

  it('lies with its room, is named there, and is copied into the image', () => {
    const named = SCRIPTS.flatMap(({ name, preludes }) => [name, ...preludes]).map(fileOf)
    expect([...new Set(named)].sort()).toEqual(FILES.sort())
    const copied = [...readFileSync('Dockerfile', 'utf8').matchAll(/^COPY (lib\/\w+\/lua) \1$/gm)].map(([, folder]) => folder)
    expect(copied.sort()).toEqual([...new Set(FILES.map((file) => file.slice(0, file.lastIndexOf('/'))))].sort())
  })
})
