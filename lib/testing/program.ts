import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { build } from 'esbuild'
import { atEnd } from './cleanup'

/** Bundles a program for processes of its own to where it finds its packages. @returns its file */
export async function bundle(entry: string): Promise<string> {
  mkdirSync('dist', { recursive: true })
  const dir = mkdtempSync('dist/unit-')
  atEnd(() => rmSync(dir, { recursive: true, force: true }))
  const outfile = `${dir}/child.mjs`
  const options = { bundle: true, platform: 'node', format: 'esm', packages: 'external', outfile } as const
  await build({ entryPoints: [entry], ...options })
  return outfile
}
